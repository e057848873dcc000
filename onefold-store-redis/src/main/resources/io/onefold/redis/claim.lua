-- Claims a record: writes it where there is none or where it may be taken, else says what is there.
-- KEYS: the record; what is open in its bucket; what shows that the bucket has lost nothing (none at a front)
-- ARGV: owner, lease, mark (1 or 0), attempts, names, names with the key's other form, prints, checkpoint,
--       place in the bucket, grounds to take on ("" for none), fence of what may be taken
-- Answers now and the fence, or now and the record.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
if KEYS[3] and redis.call('EXISTS', KEYS[3]) == 0 then
  return redis.error_reply('LOST ' .. KEYS[3])
end
local mark, names, prints, checkpoint, grounds = ARGV[3] == '1', ARGV[5], ARGV[7], ARGV[8], ARGV[10]
local fence, created = mark and 0 or now, now
local there = redis.call('GET', KEYS[1])
if there then
  local version, state, owner, stored, began, _, ends, gone, _, named, _, _, at =
    struct.unpack('>BBc16I7I7I7I7I7I3I2I3I3', there)
  local status = state % 8
  local over = status ~= 0 and status ~= 3 and gone <= now -- it goes within this millisecond
  local free = over
  if version == 1 and not over and grounds ~= '' and stored == tonumber(ARGV[11]) then
    if grounds == 'FREE' then
      free = status == 4
    elseif grounds == 'LEASE_OVER' then
      free = status == 0 and ends <= now
    elseif grounds == 'UNKNOWN' then
      free = status == 3
    elseif grounds == 'OVERWRITE' then
      free = status == 1 or status == 2
    end
    if grounds ~= 'OVERWRITE' then
      created = began
    end
  end
  local name = there:sub(at, at + named - 1)
  if version ~= 1 or not free or (name ~= names and name ~= ARGV[6]) then
    return { now, there }
  end
  if not mark then
    fence = math.max(stored + 1, now)
  elseif not over then
    fence = stored
  end
end
local lease = tonumber(ARGV[2])
local value = struct.pack('>BBc16I7I7I7I7I7I3I2I3I3', 1, 0, ARGV[1], fence, created, now, now + lease, 0, ARGV[4], #names,
  #prints, #checkpoint) .. names .. prints .. checkpoint
if not mark then
  redis.call('SET', KEYS[1], value)
  redis.call('ZADD', KEYS[2], now + lease, ARGV[9])
elseif fence > 0 then
  redis.call('SET', KEYS[1], value, 'KEEPTTL') -- what was free here knows its fence for as long as it was told to
else
  redis.call('SET', KEYS[1], value, 'PX', math.ceil(lease / 1000))
end
return { now, fence }
