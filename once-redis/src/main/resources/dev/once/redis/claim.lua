-- Grants the key, or answers from its record and writes nothing.
-- ARGV: lease, retention, length of TTL, TTL in ms as text, most attempts, whether to reconcile, and
--       then the record's bytes from its recovery on. One argument is faster than several.
-- Answers: H held, with the time that is left of the lease; M mismatched; U uncertain; L a large
--          record, with its fence, to be read separately; or a record, which does not begin with a
--          letter: a completed or failed one to replay, or the numbers of one that is granted.
local span, kept, ttl, at = struct.unpack('>I8I8Bc0', ARGV[1])
local rest = sub(ARGV[1], at + 5)
local attempts, created = 1, now
if state > 0 then
  local lease, recovery, printed
  lease, attempts, created, recovery, printed = struct.unpack('>I8I4I8BB', v, 20)
  if sub(v, 54, 53 + printed) ~= sub(rest, 15, 14 + string.byte(rest, 2)) then return 'M' end
  if state == 2 or state == 3 then
    -- All callers share one connection, and many may want the same large outcome.
    if #v > 65536 then return struct.pack('>c1I8', 'L', fence) end
    return v
  end
  -- The claim of this grant, sent again because its answer was lost: its owner has not begun.
  local again = sub(v, 46, 53) == sub(rest, 7, 14)
  -- The grant was given back, so this is a late copy of its claim.
  if state == 4 and again then return struct.pack('>c1I8', 'H', 0) end
  if state == 1 then
    if lease > now then
      if again then return v end
      return struct.pack('>c1I8', 'H', lease - now)
    end
    local most, reconciling = struct.unpack('>I4B', ARGV[1], at)
    local rerun = recovery == 0 and attempts < most
    if not (rerun or again or reconciling == 1) then return 'U' end
    -- A later owner cannot make an effect repeatable if the first owner declared it is not.
    if recovery == 1 then rest = '\1' .. sub(rest, 2) end
  end
  attempts = attempts + 1
else
  watched = 0
end
if fence < now then
  fence = now
else
  fence = fence + 1
  -- The fence is ahead of the clock: the record stays until the clock has passed it.
  ttl = math.max(ttl, math.ceil((fence - now) / 1000) + 2)
end
local lease = now + span
local head =
  struct.pack('>BBBI8I8I8I4I8', 1, 1, watched, lease + kept, fence, lease, attempts, created)
call('SET', KEYS[1], head .. rest, 'PX', ttl)
return head
