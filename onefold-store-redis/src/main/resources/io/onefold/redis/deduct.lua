-- Takes from a stock for an order, unless the order has taken before, is cancelled, or would take more than there is.
-- KEYS: the stock; the order
-- ARGV: quantity, keep in milliseconds ("0" for ever)
-- Answers a word and a number: taken, before or short and what is or was left; other or cancelled and the quantity taken before.
local order = redis.call('GET', KEYS[2])
if order then
  local state, quantity, left = order:match('^(%a+) (%d+) (%d+)$')
  if state == 'cancelled' then
    return { 'cancelled', quantity }
  elseif quantity ~= ARGV[1] then
    return { 'other', quantity }
  end
  return { 'before', left }
end
local stock = redis.call('GET', KEYS[1]) or '0'
if tonumber(stock) < tonumber(ARGV[1]) then
  return { 'short', stock }
end
redis.call('DECRBY', KEYS[1], ARGV[1])
local left = redis.call('GET', KEYS[1]) -- as text: Lua's own would lose digits
redis.call('SET', KEYS[2], 'taken ' .. ARGV[1] .. ' ' .. left)
if ARGV[2] ~= '0' then
  redis.call('PEXPIRE', KEYS[2], ARGV[2])
end
return { 'taken', left }
