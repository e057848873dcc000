-- Stands before every script that makes fences. The key of the fences holds the highest that was given in a bucket. So they rise, also if a
-- record has gone by itself and the clock was set back afterwards.
-- Gives the fence that was wished for, or the next one that is above all others.
local function rise(key, wish)
  local highest = tonumber(redis.call('GETSET', key, wish) or 0)
  if highest >= wish then
    wish = highest + 1
    redis.call('SET', key, wish)
  end
  return wish
end
