-- Forgets a record that nobody owns, for an operator. Its numbers stay for as long as the record
-- would have: the next fence is counted from them, also if the clock was set back. It ends at 0, so
-- that no clock brings it back without its fingerprint.
if state == 0 or state == 1 and lease > now then return 'left' end
call('SET', KEYS[1],
  struct.pack(HEAD, 1, state, recovery, 0, 0, 0, attempts, fence, created, lease, 0), 'KEEPTTL')
if watched == 1 then redis.pcall('PUBLISH', KEYS[1], '') end
return 'made'
