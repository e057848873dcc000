-- Judges the life of a bucket where nobody claims.
-- KEYS: the life
-- ARGV: the life that the node remembers; for how long nothing is claimed after a loss
-- Answers 1 if it is that life.
local time = redis.call('TIME')
return judge(KEYS[1], ARGV[1], ARGV[2], time[1] * 1000000 + time[2]) or 1
