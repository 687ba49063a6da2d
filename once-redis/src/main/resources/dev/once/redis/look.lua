-- Begins every script: reads the record and the server's clock, which is the only one.
-- A record is one string. Its first 53 bytes, places counted from 1:
--   1 format, 2 state, 3 watched, 4-11 end of the record, 12-19 fence, 20-27 end of the lease,
--   28-31 attempts, 32-39 creation, 40 recovery, 41 and 42-45 lengths of fingerprint and
--   correlation, 46-53 token of the claim. Fingerprint, correlation and outcome follow.
-- The fields that most scripts read or change come first: the rest is neither unpacked nor packed.
-- state: 0 absent or expired, 1 in progress, 2 completed, 3 failed, 4 open. Times: microseconds.
local redis, struct, call, sub = redis, struct, redis.call, string.sub
local v = call('GET', KEYS[1])
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local state, fence = 0, 0
local format, watched, ends
if v then
  -- A record of a newer release is not touched.
  if string.byte(v) ~= 1 then return redis.error_reply('ONCEFORMAT ' .. string.byte(v)) end
  format, state, watched, ends, fence = struct.unpack('>BBBI8I8', v)
  -- Redis removes keys in whole milliseconds. Until then, the next fence is counted from this one.
  if ends <= now then state = 0 end
end
