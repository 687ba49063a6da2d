-- Opens a record that is in progress or uncertain, for an operator. The next grant has a higher fence.
if state ~= 1 then return 'left' end
call('SET', KEYS[1], '\1\4' .. sub(v, 3), 'KEEPTTL')
if watched == 1 then redis.pcall('PUBLISH', KEYS[1], '') end
return 'made'
