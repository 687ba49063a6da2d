-- Sets the end of the lease, and the end of the record to its retention after that.
-- ARGV: fence, lease
local mine, span = struct.unpack('>I8I8', ARGV[1])
if state ~= 1 or fence ~= mine then return 'lost' end
local lease = now + span
local till = lease + ends - struct.unpack('>I8', v, 20)
call('SET', KEYS[1],
  struct.pack('>BBBI8I8I8', 1, 1, watched, till, fence, lease) .. sub(v, 28),
  'PX', math.ceil((math.max(till, fence) - now) / 1000) + 2)
-- Notifies waiting callers if the lease was ended.
if watched == 1 and span == 0 then redis.pcall('PUBLISH', KEYS[1], '') end
return 'made'
