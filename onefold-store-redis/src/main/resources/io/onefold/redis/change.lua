-- Changes a record under its ticket.
-- KEYS: the record; what is open in its bucket; what has a tombstone to come
-- ARGV: owner, fence, names, names with the key's other form, what (the bits of Alteration), heir ("" for none), lease, keep,
--       tombstone, checkpoint, payload, place in the bucket, channel
-- Answers 1, or the record that it could not change, or nothing where there is none.
local there = redis.call('GET', KEYS[1])
if not there then
  return false
end
local version, state, owner, fence, created, _, ends, gone, attempts, named, printed, resumes, at =
  struct.unpack('>BBc16I7I7I7I7I7I3I2I3I3', there)
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local status, what = state % 8, tonumber(ARGV[5])
local name = there:sub(at, at + named - 1)
if version ~= 1 or owner ~= ARGV[1] or fence ~= tonumber(ARGV[2]) or (name ~= ARGV[3] and name ~= ARGV[4])
    or bit.band(what, bit.lshift(8, status)) == 0 or (bit.band(what, 256) ~= 0 and ends > now) then
  return there
end
local to = what % 8
local open = to == 0 or to == 3
local lease, keep, tombstone, payload = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9]), ARGV[11]
gone = 0
if lease >= 0 then
  ends = now + lease
elseif not open then
  ends = now + keep
  gone = ends + tombstone
end
if ARGV[6] ~= '' then
  owner = ARGV[6]
  fence = math.max(fence + 1, now)
end
if bit.band(what, 512) ~= 0 then
  attempts = 0
elseif bit.band(what, 1024) ~= 0 then
  attempts = attempts - 1
end
local kept = there:sub(at, at + named + printed - 1)
local checkpoint = ARGV[10]
if bit.band(what, 2048) ~= 0 then
  checkpoint = there:sub(at + named + printed, at + named + printed + resumes - 1)
end
local waited = state >= 8
local value = struct.pack('>BBc16I7I7I7I7I7I3I2I3I3', 1, (waited and to == 0) and 8 or to, owner, fence, created, now, ends, gone,
  attempts, named, printed, #checkpoint) .. kept .. checkpoint .. payload
if open then
  redis.call('SET', KEYS[1], value)
  redis.call('ZADD', KEYS[2], to == 3 and 0 or ends, ARGV[12])
else
  redis.call('SET', KEYS[1], value, 'PX', math.ceil((keep + tombstone) / 1000))
  redis.call('ZREM', KEYS[2], ARGV[12])
  if tombstone > 0 then
    redis.call('ZADD', KEYS[3], ends, ARGV[12])
  end
end
if waited and to ~= 0 then
  redis.call('PUBLISH', ARGV[13], KEYS[1])
end
return 1
