-- Adds to a number, or sets it, once for each cause.
-- KEYS: the number; the cause
-- ARGV: how (add or set), amount, keep in milliseconds ("0" for ever)
-- Answers done or before and the value that it became then; other and the amount if the same cause did something else.
local cause = redis.call('GET', KEYS[2])
if cause then
  local how, amount, value = cause:match('^(%a+) (%-?%d+) (%-?%d+)$')
  if how ~= ARGV[1] or amount ~= ARGV[2] then
    return { 'other', amount }
  end
  return { 'before', value }
end
if ARGV[1] == 'add' then
  redis.call('INCRBY', KEYS[1], ARGV[2])
else
  redis.call('SET', KEYS[1], ARGV[2])
end
local value = redis.call('GET', KEYS[1])
redis.call('SET', KEYS[2], ARGV[1] .. ' ' .. ARGV[2] .. ' ' .. value)
if ARGV[3] ~= '0' then
  redis.call('PEXPIRE', KEYS[2], ARGV[3])
end
return { 'done', value }
