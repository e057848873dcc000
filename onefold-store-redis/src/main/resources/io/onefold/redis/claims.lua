-- Claims records that are not there, or says what is there.
-- KEYS: the life; the fences; then, for each, the record and what is open in its bucket
-- ARGV: the life that the node remembers; for how long nothing is claimed after a loss; then, for each, owner, lease, the rest of a new
--       record (see Layout), what the record is called in its bucket
-- Answers now; then, for each, the fence or the record.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local another = judge(KEYS[1], ARGV[1], ARGV[2], now)
if another then
  return another
end
local clock = struct.pack('>I7', now)
local answers = { now }
local risen, packed -- one fence for all claims: a fence is compared only with others of the same record
for i = 1, #KEYS / 2 - 1 do
  local key, at = KEYS[2 * i + 1], 4 * i - 2
  local there = redis.pcall('GET', key)
  local stored = 0
  if type(there) == 'string' and there:byte(1) == 1 and there:byte(2) % 8 ~= 0 and there:byte(2) ~= 3
      and struct.unpack('>I7', there, 47) <= now then
    stored = struct.unpack('>I7', there, 19)
    there = false -- it goes within this millisecond
  end
  if not there then
    if not risen or risen <= stored then
      risen = rise(KEYS[2], math.max(stored + 1, now))
      packed = struct.pack('>I7', risen)
    end
    local ends = now + ARGV[at + 2]
    redis.call('SET', key, '\1\0' .. ARGV[at + 1] .. packed .. clock .. clock .. struct.pack('>I7', ends)
      .. '\0\0\0\0\0\0\0' .. ARGV[at + 3])
    redis.call('ZADD', KEYS[2 * i + 2], ends, ARGV[at + 4])
  end
  answers[i + 1] = there or risen
end
return answers
