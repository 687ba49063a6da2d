-- Grants the key, or answers from its record and writes nothing.
-- ARGV: lease, retention, TTL in ms, recovery (0 rerun, 1 ask), most attempts, reconciling (0, 1),
--       fingerprint, correlation
-- Answers: G granted, H held, M mismatched, U uncertain; a record's first byte is below the letters.
if state > 0 then
  if string.sub(v, 46, 45 + printed) ~= ARGV[7] then return 'M' end
  if state == 2 or state == 3 then return v end
  if state == 1 then
    if lease > now then return struct.pack('>c1I8', 'H', lease - now) end
    local rerun = recovery == 0 and attempts < tonumber(ARGV[5])
    if not rerun and ARGV[6] == '0' then return 'U' end
  end
  -- A take-over cannot make an effect repeatable that its first owner said is not.
  if state ~= 1 or recovery ~= 1 then recovery = ARGV[4] end
  attempts = attempts + 1
else
  recovery, watched, attempts, created = ARGV[4], 0, 1, now
end
local ttl = ARGV[3]
if fence < now then
  fence = now
else
  fence = fence + 1
  -- Ahead of the clock: the record stays until the clock has passed its fence.
  ttl = math.max(ttl, math.ceil((fence - now) / 1000) + 2)
end
lease = now + ARGV[1]
redis.call('SET', KEYS[1],
  struct.pack(HEAD, 1, 1, recovery, watched, #ARGV[7], #ARGV[8], attempts, fence, created, lease,
    lease + ARGV[2]) .. ARGV[7] .. ARGV[8],
  'PX', ttl)
return struct.pack('>c1I4I8', 'G', attempts, fence)
