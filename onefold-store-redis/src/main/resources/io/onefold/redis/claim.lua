-- Claims a record that is not there, or says what is there.
-- KEYS: the record; what is open in its bucket; what shows that the bucket has lost nothing
-- ARGV: owner, lease, the rest of a new record (see Layout), what the record is called in its bucket
-- Answers now and the fence, or now and the record.
if redis.call('EXISTS', KEYS[3]) == 0 then
  return redis.error_reply('LOST ' .. KEYS[3])
end
local there = redis.call('GET', KEYS[1])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local fence = now
if there then
  local status = there:byte(2) % 8
  local gone = there:byte(1) == 1 and status ~= 0 and status ~= 3 and struct.unpack('>I7', there, 47)
  if not gone or gone > now then
    return { now, there }
  end
  fence = math.max(struct.unpack('>I7', there, 19) + 1, now) -- it goes within this millisecond
end
local ends = now + ARGV[2]
local clock = struct.pack('>I7', now)
redis.call('SET', KEYS[1], '\1\0' .. ARGV[1] .. struct.pack('>I7', fence) .. clock .. clock .. struct.pack('>I7', ends)
  .. '\0\0\0\0\0\0\0' .. ARGV[3])
redis.call('ZADD', KEYS[2], ends, ARGV[4])
return { now, fence }
