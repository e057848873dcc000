-- Gives back to a stock what an order has taken, once, and cancels the order: it takes nothing any more, not even if it comes late.
-- KEYS: the stock; the order
-- ARGV: keep in milliseconds ("0" for ever)
-- Answers given or before, the quantity (0 if nothing was taken), and what was left then.
local order = redis.call('GET', KEYS[2])
local state, quantity, left = 'none', '0', '0'
if order then
  state, quantity, left = order:match('^(%a+) (%d+) (%d+)$')
end
if state == 'cancelled' then
  return { 'before', quantity, left }
end
if state == 'taken' then
  redis.call('INCRBY', KEYS[1], quantity)
end
left = redis.call('GET', KEYS[1]) or '0'
redis.call('SET', KEYS[2], 'cancelled ' .. quantity .. ' ' .. left)
if ARGV[1] ~= '0' then
  redis.call('PEXPIRE', KEYS[2], ARGV[1])
end
return { 'given', quantity, left }
