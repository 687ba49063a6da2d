-- Operations that wait, that are being sent, and that have ended. Times are milliseconds since 1970
-- by the clock of this device, which may be set back: a time in the far future has passed.
--
--   pending --claim--> sending(lease) --> done
--      ^                 |  |  \--refused, or out of attempts--> failed --resend, repeat--> pending
--      |                 |  \--no answer, or not the last one--> pending (next_attempt_at)
--      \--lease over-----/
--   held: it undoes another operation, and waits until the group of that one fails
--   dropped: by its user, or with its group
--
-- waits is 1 while something that has to end before the operation is left: the one before it with its
-- ordering key or in its group, or the one that it follows. It is set when the operation is inserted,
-- and cleared by the trigger. 0 may be wrong, and a claim checks it; 1 never is.
CREATE TABLE operation (
  place            INTEGER PRIMARY KEY,
  id               TEXT NOT NULL UNIQUE,
  key              TEXT NOT NULL,
  type             TEXT NOT NULL,
  ordering_key     TEXT,
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
CREATE INDEX operation_key ON operation (key);
CREATE INDEX operation_fingerprint ON operation (fingerprint);
CREATE INDEX operation_ready ON operation (waits, target, next_attempt_at) WHERE state = 'pending';
CREATE INDEX operation_sending ON operation (lease_until) WHERE state = 'sending';
CREATE INDEX operation_finished ON operation (state, finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX operation_ordering_key ON operation (ordering_key, place)
  WHERE ordering_key IS NOT NULL AND state IN ('pending', 'sending', 'failed');
CREATE INDEX operation_group ON operation (group_id, place) WHERE group_id IS NOT NULL;
CREATE INDEX operation_after ON operation (after_id) WHERE after_id IS NOT NULL;
CREATE UNIQUE INDEX operation_compensates ON operation (compensates)
  WHERE compensates IS NOT NULL;

-- The end of an operation frees the next one with its ordering key and of its group, and those that
-- follow it.
CREATE TRIGGER operation_ended AFTER UPDATE OF state ON operation
  WHEN NEW.state IN ('done', 'dropped') AND OLD.state NOT IN ('done', 'dropped')
BEGIN
  UPDATE operation SET waits = 0 WHERE waits = 1 AND place = (
      SELECT place FROM operation WHERE ordering_key = NEW.ordering_key
        AND state IN ('pending', 'sending', 'failed')
      ORDER BY place LIMIT 1); UPDATE operation SET waits = 0 WHERE waits = 1 AND place = (
      SELECT place FROM operation WHERE group_id = NEW.group_id AND compensates IS NULL
        AND state IN ('pending', 'sending', 'failed')
      ORDER BY place LIMIT 1); UPDATE operation SET waits = 0 WHERE waits = 1 AND after_id = NEW.id; END;

-- Keys that succeeded. They are not sent again, even if the server has forgotten them.
CREATE TABLE success (
  key          TEXT PRIMARY KEY,
  -- Of the request; null if the operation was sent by another way.
  fingerprint  TEXT,
  at           INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX success_at ON success (at);

-- 'parked' has the reason why nothing is sent, 'credentials' the number of changes of credentials.
CREATE TABLE setting (
  name   TEXT PRIMARY KEY,
  value  TEXT NOT NULL
) WITHOUT ROWID;
