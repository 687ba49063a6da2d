-- Opens the record of the newest grant, whose effect did not happen.
-- ARGV: fence
if state ~= 1 or fence ~= tonumber(ARGV[1]) then return 'lost' end
call('SET', KEYS[1], '\1\4' .. sub(v, 3), 'KEEPTTL')
if watched == 1 then redis.pcall('PUBLISH', KEYS[1], '') end
return 'made'
