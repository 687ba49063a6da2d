-- In front of every script: reads the record and the server's clock, which is the only one.
-- A record is one string: 45 bytes of numbers, the fingerprint, the correlation, the outcome.
-- state: 0 absent or expired, 1 in progress, 2 completed, 3 failed, 4 open. Times: microseconds.
local redis, struct, call = redis, struct, redis.call
local HEAD = '>BBBBBI4I4I8I8I8I8'
local v = call('GET', KEYS[1])
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local state, fence = 0, 0
local format, recovery, watched, printed, correlated, attempts, created, lease, ends
if v then
  -- What a newer release wrote is left alone.
  if string.byte(v) ~= 1 then return redis.error_reply('ONCEFORMAT ' .. string.byte(v)) end
  format, state, recovery, watched, printed, correlated, attempts, fence, created, lease, ends =
    struct.unpack(HEAD, v)
  -- Redis forgets in whole milliseconds. Until it does, the next fence is counted from here.
  if ends <= now then state = 0 end
end
