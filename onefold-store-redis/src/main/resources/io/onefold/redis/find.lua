-- KEYS: the record. Answers now, and the record if there is one.
local time = redis.call('TIME')
return { time[1] * 1000000 + time[2], redis.call('GET', KEYS[1]) }
