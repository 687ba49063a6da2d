-- Records the outcome of the newest grant.
-- ARGV: fence, retention, state (2 completed, 3 failed), length of TTL, TTL in ms as text, outcome
local mine, kept, finished, ttl, at = struct.unpack('>I8I8BBc0', ARGV[1])
if state == 0 or state == 4 or fence ~= mine then return 'lost' end
-- Only this grant can have completed the record under its fence.
if state ~= 1 then return 'done' end
local fresh = now + kept
local done = struct.pack('>BBBI8', 1, finished, watched, fresh) .. sub(v, 12) .. sub(ARGV[1], at)
if fresh <= ends and ends - fresh < 60000000 then
  -- Keeping the TTL, which is then up to a minute too long, makes the script a tenth faster.
  call('SET', KEYS[1], done, 'KEEPTTL')
else
  if fence >= now then ttl = math.max(ttl, math.ceil((fence - now) / 1000) + 2) end
  call('SET', KEYS[1], done, 'PX', ttl)
end
if watched == 1 then redis.pcall('PUBLISH', KEYS[1], '') end
return 'made'
