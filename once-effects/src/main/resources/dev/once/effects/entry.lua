-- Writes the entry of an aggregate, unless that of the same event or of a later one is there.
-- KEYS[1] is the entry, a hash. ARGV has the sequence of the event, the TTL in milliseconds or 0,
-- and the value; without a value the entry becomes a tombstone.
local sequence = ARGV[1]
local stored = redis.call('HGET', KEYS[1], 'sequence')
-- Compared as text: numbers of Lua are exact only up to 2^53.
if stored and (#stored > #sequence or (#stored == #sequence and stored >= sequence)) then
  return 0
end
if ARGV[3] then
  redis.call('HSET', KEYS[1], 'sequence', sequence, 'value', ARGV[3])
else
  redis.call('HSET', KEYS[1], 'sequence', sequence)
  redis.call('HDEL', KEYS[1], 'value')
end
if ARGV[2] == '0' then
  redis.call('PERSIST', KEYS[1])
else
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 1
