-- Writes a copy of another store's record, unless what is here is newer or is as new and at its end.
-- KEYS: the record
-- ARGV: owner, fence, names, names with the key's other form, status, created, lease left, keep left, tombstone, attempts, prints,
--       checkpoint, payload, channel
-- Answers 1, or the record that stands in the way.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local fence, status = tonumber(ARGV[2]), tonumber(ARGV[5])
local there = redis.call('GET', KEYS[1])
local waited = false
if there then
  local version, state, _, stored, _, _, _, _, _, named, _, _, at = struct.unpack('>BBc16I7I7I7I7I7I3I2I3I3', there)
  local name = there:sub(at, at + named - 1)
  local ended = state % 8 ~= 0 and state % 8 ~= 3
  if version ~= 1 or (name ~= ARGV[3] and name ~= ARGV[4]) or stored > fence or (stored == fence and ended) then
    return { there }
  end
  waited = state >= 8
end
local lease, keep, tombstone = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
local open = status == 0 or status == 3
local ends = open and now + lease or now + keep
local gone = open and 0 or ends + tombstone
local value = struct.pack('>BBc16I7I7I7I7I7I3I2I3I3', 1, (waited and status == 0) and 8 or status, ARGV[1], fence, ARGV[6], now, ends,
  gone, ARGV[10], #ARGV[3], #ARGV[11], #ARGV[12]) .. ARGV[3] .. ARGV[11] .. ARGV[12] .. ARGV[13]
-- a copy that is open stays as long as one that is not: its fence keeps older copies away
redis.call('SET', KEYS[1], value, 'PX', math.max(1, math.ceil(math.max(keep + tombstone, open and lease or 0) / 1000)))
if waited and status ~= 0 then
  redis.pcall('PUBLISH', ARGV[14], KEYS[1])
end
return { 1 }
