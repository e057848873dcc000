-- Stands before every script that judges the life of the data in a bucket. The key of the life holds one of three:
--   a random id: the life that began when a node started on an empty Redis
--   settled <time>: the life that began when a loss was accepted or its time was over; whoever remembers another goes on with it
--   closed <time>: there was a loss, and until then nothing is claimed
-- Gives nothing if the life is the one that the node remembers ("" for none). Else it gives the answer of the script: LOST, with what
-- was found; or LIFE, with the life to remember before the node asks again.
local function judge(key, remembered, closed, now)
  local life = redis.call('GET', key)
  if life == remembered then
    return nil
  end
  local ends = life and life:match('^closed (%d+)$')
  if ends and tonumber(ends) <= now then
    life = string.format('settled %.0f', now)
    redis.call('SET', key, life)
  elseif ends then
    return redis.error_reply('LOST CLOSED')
  elseif not life or (remembered ~= '' and life:sub(1, 8) ~= 'settled ') then
    redis.call('SET', key, string.format('closed %.0f', now + closed)) -- for all nodes
    return redis.error_reply(life and 'LOST REPLACED' or 'LOST MISSING')
  end
  return redis.error_reply('LIFE ' .. life)
end
