-- Forgets a record that no lease protects, for an operator. Its numbers stay for as long as the record
-- would have: the next fence is counted from them, also if the clock was set back. It ends at 0, so
-- that no clock brings it back without its fingerprint.
if state == 0 or state == 1 and struct.unpack('>I8', v, 20) > now then return 'left' end
call('SET', KEYS[1],
  struct.pack('>BBBI8', 1, state, 0, 0) .. sub(v, 12, 40) .. '\0\0\0\0\0' .. sub(v, 46, 53),
  'KEEPTTL')
if watched == 1 then redis.pcall('PUBLISH', KEYS[1], '') end
return 'made'
