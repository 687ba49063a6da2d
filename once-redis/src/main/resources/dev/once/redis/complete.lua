-- Records the outcome of the newest grant.
-- ARGV: fence, retention and state (2 completed, 3 failed), packed; TTL in ms; outcome
local mine, kept, finished = struct.unpack('>I8I8B', ARGV[1])
if state == 0 or state == 4 or fence ~= mine then return 'lost' end
-- Nobody but this grant can have completed the record under its fence.
if state ~= 1 then return 'done' end
local fresh = now + kept
local done = struct.pack(HEAD, 1, finished, recovery, watched, printed, correlated, attempts, fence,
  created, lease, fresh) .. string.sub(v, 46) .. ARGV[3]
if fresh <= ends and ends - fresh < 60000000 then
  -- To leave the TTL, which is up to a minute longer than needed then, takes a tenth off the script.
  call('SET', KEYS[1], done, 'KEEPTTL')
else
  local ttl = ARGV[2]
  if fence >= now then ttl = math.max(ttl, math.ceil((fence - now) / 1000) + 2) end
  call('SET', KEYS[1], done, 'PX', ttl)
end
if watched == 1 then redis.pcall('PUBLISH', KEYS[1], '') end
return 'made'
