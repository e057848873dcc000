-- Leaves marks at a front where nothing is, or says what is there. A mark goes by itself when its time is over.
-- KEYS: the records
-- ARGV: for each, owner, lease, the rest of a new record (see Layout)
-- Answers now; then, for each, its fence, which is below every true one, or the record.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local answers = { now }
for i = 1, #KEYS do
  local at = 3 * i - 3
  local there = redis.pcall('GET', KEYS[i])
  if not there then
    local clock, lease = struct.pack('>I7', now), tonumber(ARGV[at + 2])
    redis.call('SET', KEYS[i], '\1\0' .. ARGV[at + 1] .. '\0\0\0\0\0\0\0' .. clock .. clock .. struct.pack('>I7', now + lease)
      .. '\0\0\0\0\0\0\0' .. ARGV[at + 3], 'PX', math.ceil(lease / 1000))
  end
  answers[i + 1] = there or 0
end
return answers
