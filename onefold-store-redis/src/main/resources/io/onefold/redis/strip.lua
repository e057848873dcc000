-- Puts a tombstone in the place of a record that has not changed meanwhile, and notes that this is done.
-- KEYS: the record; what has a tombstone to come
-- ARGV: place in the bucket, the record as it was ("" for none), what is left of it ("" to leave it)
-- Answers 1 if the record is a tombstone now.
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[2] then
  return 0
end
redis.call('ZREM', KEYS[2], ARGV[1])
if ARGV[3] == '' then
  return 0
end
redis.call('SET', KEYS[1], ARGV[3], 'KEEPTTL')
return 1
