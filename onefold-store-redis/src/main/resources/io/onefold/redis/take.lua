-- Claims a record that is not there, or that may be taken; or says what is there. So are marks made at a front.
-- KEYS: the record; what is open in its bucket; what has a tombstone to come there; the life and the fences (neither at a front)
-- ARGV: owner, lease, the rest of a new record (see Layout), what the record is called in its bucket, names, names with the key's
--       other form, 1 for a mark, grounds to take on ("" for none), fence of what may be taken; but at a front, the life that
--       the node remembers, and for how long nothing is claimed after a loss
-- Answers now and the fence, or now and the record.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local another = KEYS[4] and judge(KEYS[4], ARGV[10], ARGV[11], now)
if another then
  return another
end
local mark, grounds = ARGV[7] == '1', ARGV[8]
local fence, created, state, earlier = mark and 0 or now, now, 0, ''
local there = redis.call('GET', KEYS[1])
if there then
  local version, was, _, stored, began, _, ends, gone = struct.unpack('>BBc16I7I7I7I7I7', there)
  local status = was % 8
  local over = status ~= 0 and status ~= 3 and gone <= now -- it goes within this millisecond
  local free = over
  if not over and stored == tonumber(ARGV[9]) then
    free = (grounds == 'FREE' and status == 4) or (grounds == 'LEASE_OVER' and status == 0 and ends <= now)
      or (grounds == 'UNKNOWN' and status == 3) or (grounds == 'OVERWRITE' and (status == 1 or status == 2))
    created = grounds == 'OVERWRITE' and now or began
  end
  local own = there:sub(65, 64 + #ARGV[5]) == ARGV[5] or there:sub(65, 64 + #ARGV[6]) == ARGV[6]
  if version ~= 1 or not free or not own then
    return { now, there }
  end
  if mark or over then
    earlier = ''
  elseif grounds == 'OVERWRITE' then
    earlier = there
  elseif grounds ~= 'FREE' and gone > 0 then
    earlier = there:sub(-gone) -- in an open record, gone is the length of the record that it overwrites
  end
  state = was == 8 and 8 or 0 -- whoever waits for it goes on waiting
  if not mark then
    fence = math.max(stored + 1, now)
  elseif not over then
    fence = stored
  end
end
if KEYS[5] and not mark then
  fence = rise(KEYS[5], fence)
end
local value = '\1' .. string.char(state) .. ARGV[1] .. struct.pack('>I7I7I7I7I7', fence, created, now, now + ARGV[2], #earlier)
  .. ARGV[3] .. earlier
if not mark then
  redis.call('SET', KEYS[1], value)
  redis.call('ZADD', KEYS[2], now + ARGV[2], ARGV[4])
  if there then
    redis.call('ZREM', KEYS[3], ARGV[4])
  end
else
  -- what was here before knows its fence for as long as it was told to
  redis.call('SET', KEYS[1], value, 'PX', math.max(redis.call('PTTL', KEYS[1]), math.ceil(ARGV[2] / 1000)))
end
return { now, fence }
