-- Moves every record of a prefix, and its TTL, back in time: the server's clock cannot be set.
-- ARGV: prefix, microseconds
local cursor = '0'
repeat
  local page = redis.call('SCAN', cursor, 'MATCH', ARGV[1] .. ':*', 'COUNT', 1000)
  cursor = page[1]
  for _, key in ipairs(page[2]) do
    local v = redis.call('GET', key)
    local ends, fence, lease, attempts, created = struct.unpack('>I8I8I8I4I8', v, 4)
    local ttl = redis.call('PTTL', key) - math.floor(ARGV[2] / 1000)
    if ttl > 0 then
      redis.call('SET', key,
        string.sub(v, 1, 3) ..
        struct.pack('>I8I8I8I4I8', math.max(0, ends - ARGV[2]), fence, lease - ARGV[2], attempts,
          created - ARGV[2]) ..
        string.sub(v, 40), 'PX', ttl)
    else
      redis.call('DEL', key)
    end
  end
until cursor == '0'
