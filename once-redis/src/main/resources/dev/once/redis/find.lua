-- Returns the record as it is now: it becomes uncertain (5) by the clock, without a write.
if state == 0 then return false end
if state == 1 and string.byte(v, 40) == 1 and struct.unpack('>I8', v, 20) <= now then
  return '\1\5' .. sub(v, 3)
end
return v
