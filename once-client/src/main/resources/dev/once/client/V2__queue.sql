-- Which operation is next is found by an index, and an operation is written to fewer of them.
-- The states and their changes are described in V1.
--
-- waits is 1 while something that has to end before the operation is left: the one before it in its
-- lane or its group, or the one that it follows. It is set when the operation is inserted, and cleared
-- by the trigger. 0 may be wrong, and a claim checks it; 1 never is.
CREATE TABLE queued (
  place            INTEGER PRIMARY KEY,
  id               TEXT NOT NULL UNIQUE,
  key              TEXT NOT NULL,
  type             TEXT NOT NULL,
  lane             TEXT,
  -- The server, as host:port.
  target           TEXT NOT NULL,
  group_id         TEXT,
  -- The operation that has to end before.
  after_id         TEXT,
  -- The operation that this one undoes.
  compensates      TEXT,
  fingerprint      TEXT NOT NULL,
  state            TEXT NOT NULL,
  waits            INTEGER NOT NULL DEFAULT 0,
  -- The number of answers that were not final.
  attempts         INTEGER NOT NULL DEFAULT 0,
  -- The number of attempts without an answer since the last answer.
  unanswered       INTEGER NOT NULL DEFAULT 0,
  next_attempt_at  INTEGER NOT NULL DEFAULT 0,
  -- From then on the server may know the key.
  first_sent_at    INTEGER,
  -- Every change by a sender names the fence of its claim.
  fence            INTEGER NOT NULL DEFAULT 0,
  lease_until      INTEGER,
  advice           TEXT,
  reason           TEXT,
  created_at       INTEGER NOT NULL,
  finished_at      INTEGER,
  -- Method, address, headers and body, as they are sent. Sealed if the queue has a secret. Last,
  -- because a reader of the columns before it does not read their pages.
  request          BLOB NOT NULL,
  answer           BLOB
);
INSERT INTO queued (place, id, key, type, lane, target, group_id, after_id, compensates, fingerprint,
    state, attempts, unanswered, next_attempt_at, first_sent_at, fence, lease_until, advice, reason,
    created_at, finished_at, request, answer)
  SELECT place, id, key, type, lane, target, group_id, after_id, compensates, fingerprint,
    state, attempts, unanswered, next_attempt_at, first_sent_at, fence, lease_until, advice, reason,
    created_at, finished_at, request, answer
  FROM operation;
DROP TABLE operation;
ALTER TABLE queued RENAME TO operation;
CREATE INDEX operation_key ON operation (key);
CREATE INDEX operation_fingerprint ON operation (fingerprint);
CREATE INDEX operation_ready ON operation (waits, target, next_attempt_at) WHERE state = 'pending';
CREATE INDEX operation_sending ON operation (lease_until) WHERE state = 'sending';
CREATE INDEX operation_finished ON operation (state, finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX operation_lane ON operation (lane, place)
  WHERE lane IS NOT NULL AND state IN ('pending', 'sending', 'failed');
CREATE INDEX operation_group ON operation (group_id, place) WHERE group_id IS NOT NULL;
CREATE INDEX operation_after ON operation (after_id) WHERE after_id IS NOT NULL;
CREATE UNIQUE INDEX operation_compensates ON operation (compensates)
  WHERE compensates IS NOT NULL;

-- The end of an operation frees the next one of its lane and of its group, and those that follow it.
CREATE TRIGGER operation_ended AFTER UPDATE OF state ON operation
  WHEN NEW.state IN ('done', 'dropped') AND OLD.state NOT IN ('done', 'dropped')
BEGIN
  UPDATE operation SET waits = 0 WHERE waits = 1 AND place = (
      SELECT place FROM operation WHERE lane = NEW.lane AND state IN ('pending', 'sending', 'failed')
      ORDER BY place LIMIT 1); UPDATE operation SET waits = 0 WHERE waits = 1 AND place = (
      SELECT place FROM operation WHERE group_id = NEW.group_id AND compensates IS NULL
        AND state IN ('pending', 'sending', 'failed')
      ORDER BY place LIMIT 1); UPDATE operation SET waits = 0 WHERE waits = 1 AND after_id = NEW.id; END;

UPDATE operation SET waits = 1
  WHERE state = 'pending' AND compensates IS NULL AND (
    (lane IS NOT NULL AND EXISTS (
      SELECT 1 FROM operation e WHERE e.lane = operation.lane AND e.place < operation.place
        AND e.state IN ('pending', 'sending', 'failed')))
    OR (group_id IS NOT NULL AND EXISTS (
      SELECT 1 FROM operation e WHERE e.group_id = operation.group_id AND e.place < operation.place
        AND e.compensates IS NULL AND e.state IN ('pending', 'sending', 'failed'))));
