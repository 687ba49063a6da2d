-- Moves the end of the lease, and the end of the record, which is its retention later, with it.
-- ARGV: fence, lease
if state ~= 1 or fence ~= tonumber(ARGV[1]) then return 'lost' end
local fresh = now + ARGV[2]
local till = fresh + ends - lease
call('SET', KEYS[1],
  struct.pack(HEAD, 1, 1, recovery, watched, printed, correlated, attempts, fence, created, fresh,
    till) .. string.sub(v, 46),
  'PX', math.ceil((math.max(till, fence) - now) / 1000) + 2)
-- Who waits hears of a lease that was ended.
if watched == 1 and ARGV[2] == '0' then redis.pcall('PUBLISH', KEYS[1], '') end
return 'made'
