-- Looks at a token. KEYS: the token. Answers what is left of it in milliseconds and what it holds, or nothing.
local token = redis.call('GET', KEYS[1])
if not token then
  return false
end
return { redis.call('PTTL', KEYS[1]), token }
