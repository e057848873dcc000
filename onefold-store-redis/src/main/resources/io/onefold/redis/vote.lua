-- Counts a vote, or changes one.
-- KEYS: votes by choice; choices by user
-- ARGV: user, choice, the choice to change from ("" for a first vote)
-- Answers done or before; none if there is nothing to change; other and the choice that stands in the way.
local was = redis.call('HGET', KEYS[2], ARGV[1]) or ''
if was == ARGV[2] then
  return { 'before' }
elseif was ~= ARGV[3] then
  return was == '' and { 'none' } or { 'other', was }
end
if was ~= '' and redis.call('HINCRBY', KEYS[1], was, -1) == 0 then
  redis.call('HDEL', KEYS[1], was)
end
redis.call('HINCRBY', KEYS[1], ARGV[2], 1)
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return { 'done' }
