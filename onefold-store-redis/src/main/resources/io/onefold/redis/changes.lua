-- Changes records under their tickets.
-- KEYS: the fences; then, for each, the record, what is open in its bucket, and what has a tombstone to come there
-- ARGV: channel; then, for each, owner and fence as the record has them, names, names with the key's other form, what (the bits of
--       Alteration), lease, keep, tombstone, heir ("" for none), checkpoint, payload, what the record is called in its bucket
-- Answers for each: 1, or the record that it could not change, or nothing where there is none.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local clock = struct.pack('>I7', now)

-- the end that an open record was claimed to overwrite, a whole record at the end of this one; "" for none
local function overwritten(there)
  local length = struct.unpack('>I7', there, 47)
  return length > 0 and there:sub(-length) or ''
end

-- Puts that end back, under a higher fence. Its owner is the settler, or what Ticket.withdrawn() makes of the ticket.
local function restore(earlier, key, open, due, owner, stored, name)
  local ends, gone = struct.unpack('>I7I7', earlier, 40)
  local fence = struct.pack('>I7', rise(KEYS[1], math.max(stored + 1, now)))
  redis.call('SET', key, earlier:sub(1, 2) .. owner .. fence .. earlier:sub(26, 32) .. clock .. earlier:sub(40), 'PX',
    math.max(1, math.ceil((gone - now) / 1000)))
  redis.call('ZREM', open, name)
  if gone > ends then
    redis.call('ZADD', due, ends, name)
  end
end

local function change(there, key, open, due, holder, names, alias, bits, lease, keep, tombstone, heir, checkpoint, payload, name)
  local state, what, named = there:byte(2), tonumber(bits), #names
  local own = there:sub(65, 64 + named) == names
  if not own then
    named = #alias
    own = there:sub(65, 64 + named) == alias
  end
  if not own or there:byte(1) ~= 1 or there:sub(3, 25) ~= holder or bit.band(what, bit.lshift(8, state % 8)) == 0 then
    return there
  end
  local ends, gone = there:sub(40, 46), '\0\0\0\0\0\0\0'
  if bit.band(what, 256) ~= 0 and struct.unpack('>I7', ends) > now then
    return there
  end
  local to = what % 8
  local earlier = (to == 0 or to == 3 or to == 4) and overwritten(there) or ''
  if to == 4 and earlier ~= '' then
    restore(earlier, key, open, due, heir ~= '' and heir or holder:sub(8), struct.unpack('>I7', there, 19), name)
    if state >= 8 then
      redis.pcall('PUBLISH', ARGV[1], key)
    end
    return 1
  end
  keep, tombstone = tonumber(keep), tonumber(tombstone)
  if keep >= 0 then
    ends = struct.pack('>I7', now + keep)
    gone = tombstone == 0 and ends or struct.pack('>I7', now + keep + tombstone)
  elseif lease ~= '-1' then
    ends = struct.pack('>I7', now + lease)
  end
  if earlier ~= '' then
    gone = there:sub(47, 53)
  end
  if heir ~= '' then
    holder = heir .. struct.pack('>I7', rise(KEYS[1], math.max(struct.unpack('>I7', there, 19) + 1, now)))
  end
  local attempts = there:sub(54, 56)
  if bit.band(what, 512) ~= 0 then
    attempts = '\0\0\0'
  elseif bit.band(what, 1024) ~= 0 then
    attempts = struct.pack('>I3', struct.unpack('>I3', attempts) - 1)
  end
  local printed, resumes = struct.unpack('>I3I3', there, 59)
  if bit.band(what, 2048) ~= 0 then
    checkpoint = there:sub(65 + named + printed, 64 + named + printed + resumes)
  end
  local value = '\1' .. string.char((to == 0 and state) or to) .. holder .. there:sub(26, 32) .. clock .. ends .. gone
    .. attempts .. there:sub(57, 61) .. struct.pack('>I3', #checkpoint) .. there:sub(65, 64 + named + printed) .. checkpoint
    .. payload .. earlier
  if keep < 0 then
    redis.call('SET', key, value)
    redis.call('ZADD', open, to == 3 and 0 or struct.unpack('>I7', ends), name)
  else
    redis.call('SET', key, value, 'PX', math.ceil((keep + tombstone) / 1000))
    redis.call('ZREM', open, name)
    if tombstone > 0 then
      redis.call('ZADD', due, now + keep, name)
    end
  end
  if state >= 8 and to ~= 0 then
    redis.pcall('PUBLISH', ARGV[1], key)
  end
  return 1
end

local answers = {}
for i = 1, (#KEYS - 1) / 3 do
  local there = redis.pcall('GET', KEYS[3 * i - 1])
  if type(there) == 'string' then
    there = change(there, KEYS[3 * i - 1], KEYS[3 * i], KEYS[3 * i + 1], unpack(ARGV, 11 * i - 9, 11 * i + 1))
  end
  answers[i] = there
end
return answers
