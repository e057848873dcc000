-- Stands before every script that makes fences. The key of the fences holds the highest fence that was given in a bucket. So fences rise, also
-- if a record has expired and the clock was set back afterwards.
-- Returns the wished fence if it is above the highest one, else the one after the highest.
local function rise(key, wish)
  local highest = tonumber(redis.call('GETSET', key, wish) or 0)
  if highest >= wish then
    wish = highest + 1
    redis.call('SET', key, wish)
  end
  return wish
end
