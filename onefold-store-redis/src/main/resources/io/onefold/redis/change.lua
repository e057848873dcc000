-- Changes a record under its ticket.
-- KEYS: the record; what is open in its bucket; what has a tombstone to come
-- ARGV: owner and fence as the record has them, names, names with the key's other form, what (the bits of Alteration), lease, keep,
--       tombstone, heir ("" for none), checkpoint, payload, what the record is called in its bucket, channel
-- Answers 1, or the record that it could not change, or nothing where there is none.
local there = redis.call('GET', KEYS[1])
if not there then
  return false
end
local state, what, named = there:byte(2), tonumber(ARGV[4]), #ARGV[2]
local own = there:sub(65, 64 + named) == ARGV[2]
if not own then
  named = #ARGV[3]
  own = there:sub(65, 64 + named) == ARGV[3]
end
if not own or there:byte(1) ~= 1 or there:sub(3, 25) ~= ARGV[1] or bit.band(what, bit.lshift(8, state % 8)) == 0 then
  return there
end
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local ends, gone = there:sub(40, 46), '\0\0\0\0\0\0\0'
if bit.band(what, 256) ~= 0 and struct.unpack('>I7', ends) > now then
  return there
end
local to, keep, tombstone = what % 8, tonumber(ARGV[6]), tonumber(ARGV[7])
if keep >= 0 then
  ends = struct.pack('>I7', now + keep)
  gone = tombstone == 0 and ends or struct.pack('>I7', now + keep + tombstone)
elseif ARGV[5] ~= '-1' then
  ends = struct.pack('>I7', now + ARGV[5])
end
local holder = ARGV[1]
if ARGV[8] ~= '' then
  holder = ARGV[8] .. struct.pack('>I7', math.max(struct.unpack('>I7', there, 19) + 1, now))
end
local attempts = there:sub(54, 56)
if bit.band(what, 512) ~= 0 then
  attempts = '\0\0\0'
elseif bit.band(what, 1024) ~= 0 then
  attempts = struct.pack('>I3', struct.unpack('>I3', attempts) - 1)
end
local printed, resumes = struct.unpack('>I3I3', there, 59)
local checkpoint = ARGV[9]
if bit.band(what, 2048) ~= 0 then
  checkpoint = there:sub(65 + named + printed, 64 + named + printed + resumes)
end
local waited = state >= 8 and to ~= 0
local value = '\1' .. string.char((to == 0 and state) or to) .. holder .. there:sub(26, 32) .. struct.pack('>I7', now) .. ends .. gone
  .. attempts .. there:sub(57, 61) .. struct.pack('>I3', #checkpoint) .. there:sub(65, 64 + named + printed) .. checkpoint
  .. ARGV[10]
if keep < 0 then
  redis.call('SET', KEYS[1], value)
  redis.call('ZADD', KEYS[2], to == 3 and 0 or struct.unpack('>I7', ends), ARGV[11])
else
  redis.call('SET', KEYS[1], value, 'PX', math.ceil((keep + tombstone) / 1000))
  redis.call('ZREM', KEYS[2], ARGV[11])
  if tombstone > 0 then
    redis.call('ZADD', KEYS[3], now + keep, ARGV[11])
  end
end
if waited then
  redis.call('PUBLISH', ARGV[12], KEYS[1])
end
return 1
