-- Grants the key, or answers from its record and writes nothing.
-- ARGV: numbers packed with fingerprint and correlation behind them, which is faster than one by
--       one; TTL in ms
-- Answers: G granted, H held, M mismatched, U uncertain; a record's first byte is below the letters.
local print, correlation, span, kept, most, policy, reconciling =
  struct.unpack('>BI4I8I8I4BB', ARGV[1])
local ttl = ARGV[2]
if state > 0 then
  if string.sub(v, 46, 45 + printed) ~= string.sub(ARGV[1], 28, 27 + print) then return 'M' end
  if state == 2 or state == 3 then return v end
  if state == 1 then
    if lease > now then return struct.pack('>c1I8', 'H', lease - now) end
    local rerun = recovery == 0 and attempts < most
    if not rerun and reconciling == 0 then return 'U' end
    -- A take-over cannot make an effect repeatable that its first owner said is not.
    if recovery == 1 then policy = 1 end
  end
  attempts = attempts + 1
else
  watched, attempts, created = 0, 1, now
end
if fence < now then
  fence = now
else
  fence = fence + 1
  -- Ahead of the clock: the record stays until the clock has passed its fence.
  ttl = math.max(ttl, math.ceil((fence - now) / 1000) + 2)
end
lease = now + span
call('SET', KEYS[1],
  struct.pack(HEAD, 1, 1, policy, watched, print, correlation, attempts, fence, created, lease,
    lease + kept) .. string.sub(ARGV[1], 28),
  'PX', ttl)
return struct.pack('>c1I4I8', 'G', attempts, fence)
