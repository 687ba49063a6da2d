-- Expires a record that no lease protects, for an operator. Its numbers stay for as long as the
-- record would have: the next fence is counted from them, even if the clock was set back. Its end
-- is 0, so that it does not come back without its fingerprint, whatever the clock says.
if state == 0 or state == 1 and struct.unpack('>I8', v, 20) > now then return 'left' end
call('SET', KEYS[1],
  struct.pack('>BBBI8', 1, state, 0, 0) .. sub(v, 12, 40) .. '\0\0\0\0\0' .. sub(v, 46, 53),
  'KEEPTTL')
if watched == 1 then redis.pcall('PUBLISH', KEYS[1], '') end
return 'made'
