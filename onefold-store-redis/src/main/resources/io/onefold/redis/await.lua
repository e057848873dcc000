-- Notes in a record under way that someone waits for its end. KEYS: the record.
local state = redis.call('GETRANGE', KEYS[1], 0, 1)
if state == '\1\0' then
  redis.call('SETRANGE', KEYS[1], 1, '\8')
end
return 1
