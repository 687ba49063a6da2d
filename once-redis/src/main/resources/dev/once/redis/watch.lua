-- Marks a record as waited for, so that its changes are published. Changes of other records are
-- not: in a cluster every message goes to every node.
if state == 1 and watched == 0 then call('SETRANGE', KEYS[1], 2, '\1') end
