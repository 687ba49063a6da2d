-- The record as it is now: nobody writes for it to become uncertain (5).
if state == 0 then return false end
if state == 1 and recovery == 1 and lease <= now then return '\1\5' .. string.sub(v, 3) end
return v
