-- Moves every record of a prefix, and its TTL, back in time: the server's clock cannot be set.
-- ARGV: prefix, microseconds
local cursor = '0'
repeat
  local page = redis.call('SCAN', cursor, 'MATCH', ARGV[1] .. ':*', 'COUNT', 1000)
  cursor = page[1]
  for _, key in ipairs(page[2]) do
    local v = redis.call('GET', key)
    local created, lease, ends = struct.unpack('>I8I8I8', v, 22)
    local ttl = redis.call('PTTL', key) - math.floor(ARGV[2] / 1000)
    if ttl > 0 then
      redis.call('SET', key,
        string.sub(v, 1, 21) ..
        struct.pack('>I8I8I8', created - ARGV[2], lease - ARGV[2], math.max(0, ends - ARGV[2])) ..
        string.sub(v, 46), 'PX', ttl)
    else
      redis.call('DEL', key)
    end
  end
until cursor == '0'
