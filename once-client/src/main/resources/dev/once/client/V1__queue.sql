-- Operations that wait, that are being sent, and that have ended. Times are milliseconds since 1970
-- by the clock of this device, which may be set back: a time in the far future has passed.
--
--   pending --claim--> sending(lease) --> done
--      ^                 |  |  \--refused, or out of attempts--> failed --resend, repeat--> pending
--      |                 |  \--no answer, or not the last one--> pending (next_attempt_at)
--      \--lease over-----/
--   held: it undoes another operation, and waits until the group of that one fails
--   dropped: by its user, or with its group
CREATE TABLE operation (
  place            INTEGER PRIMARY KEY AUTOINCREMENT,
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
  -- Method, address, headers and body, as they are sent. Sealed if the queue has a secret.
  request          BLOB NOT NULL,
  fingerprint      TEXT NOT NULL,
  state            TEXT NOT NULL,
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
  answer           BLOB,
  created_at       INTEGER NOT NULL,
  finished_at      INTEGER
);
CREATE INDEX operation_state ON operation (state, place);
CREATE INDEX operation_lane ON operation (lane, place)
  WHERE state IN ('pending', 'sending', 'failed');
CREATE INDEX operation_group ON operation (group_id, place);
CREATE INDEX operation_key ON operation (key);
CREATE INDEX operation_fingerprint ON operation (type, fingerprint);
CREATE INDEX operation_finished ON operation (finished_at) WHERE finished_at IS NOT NULL;
CREATE UNIQUE INDEX operation_compensates ON operation (compensates)
  WHERE compensates IS NOT NULL;

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
