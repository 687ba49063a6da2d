-- The versions of this schema that the database has. Every script adds its own.
CREATE TABLE once_schema (
  version      integer PRIMARY KEY,
  applied_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);
INSERT INTO once_schema (version) VALUES (1);

-- One row per (tenant, scope, key). Text is compared byte by byte (collation "C"): case, spaces and
-- Unicode forms are significant, in every database alike. There are no CHECK constraints:
-- PostgreSQL prepares them again for every statement, which made a claim take half as long again.
CREATE TABLE once_record (
  tenant       text COLLATE "C" NOT NULL,
  scope        text COLLATE "C" NOT NULL,
  key          text COLLATE "C" NOT NULL,
  -- The version of the row format. A release does not change rows of a newer format.
  format       smallint NOT NULL,
  -- in_progress, completed, failed or open. 'uncertain' is never stored: it is in_progress with
  -- recovery 'ask' and a lease that ran out, so that a record becomes uncertain without a write.
  state        text COLLATE "C" NOT NULL,
  -- rerun or ask.
  recovery     text COLLATE "C" NOT NULL,
  fingerprint  text COLLATE "C" NOT NULL,
  fence        bigint NOT NULL,
  -- Chosen by the claim that was granted last, and identifies that claim if it is sent again.
  token        bigint NOT NULL DEFAULT 0,
  attempts     integer NOT NULL,
  created_at   timestamptz NOT NULL,
  lease_until  timestamptz NOT NULL,
  expires_at   timestamptz NOT NULL,
  -- The ten-minute interval that contains expires_at. The purge index is on this column: completing
  -- a record moves expires_at by seconds, so usually no indexed column changes, and PostgreSQL
  -- updates in place (HOT).
  expiry_slot  timestamptz NOT NULL GENERATED ALWAYS AS
               (date_bin('10 minutes', expires_at, timestamptz '2000-01-01 00:00:00+00')) STORED,
  correlation  text NOT NULL,
  status       smallint NOT NULL,
  headers      text NOT NULL,
  -- none: no payload; raw, deflate: the encoding of body; dropped: the payload was larger than
  -- allowed; sealed: body is the whole outcome, encrypted, after the id of the encryption key.
  body_form    text COLLATE "C" NOT NULL,
  body_bytes   bigint NOT NULL,
  body         bytea,
  PRIMARY KEY (tenant, scope, key)
)
-- A batch fills whole pages with new records, and the next batch completes them all before
-- PostgreSQL has removed a single old version. A half-empty page has room for both versions, and
-- the indexes are not written again (HOT). With 70 that was so for only half of the records under
-- load, and the table was hardly smaller.
WITH (fillfactor = 50);

-- Bodies arrive compressed; compressing them again would only cost time.
ALTER TABLE once_record ALTER COLUMN body SET STORAGE EXTERNAL;

-- For purge, census and usage. The condition is always true; without it the planner uses this index
-- for look-ups by (tenant, scope, key) while the table has no statistics yet, and reads all rows of
-- a tenant.
CREATE INDEX once_record_expiry ON once_record (tenant, expiry_slot)
  WHERE expiry_slot > '-infinity';

-- Returns the number of the advisory lock that a transaction takes before it grants a key.
CREATE FUNCTION once_lock(p_tenant text, p_scope text, p_key text)
RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT hashtextextended(p_tenant, hashtextextended(p_scope, hashtextextended(p_key, 0)))
$$;

-- Takes the advisory lock of a key for an effect in the caller's transaction, and records that in
-- the setting once.pending. Returns begun; locked if another transaction has the lock; or pending
-- if this transaction has begun the key before. The setting ends with the transaction, or with a
-- rollback to an earlier savepoint; the completion checks it (once_pending).
CREATE FUNCTION once_begin(p_tenant text, p_scope text, p_key text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  lock bigint := once_lock(p_tenant, p_scope, p_key);
BEGIN
  IF NOT pg_try_advisory_xact_lock(lock) THEN
    RETURN 'locked';
  END IF;
  IF once_pending(lock) THEN
    RETURN 'pending';
  END IF;
  PERFORM set_config(
    'once.pending', coalesce(current_setting('once.pending', true), '') || lock || ',', true);
  RETURN 'begun';
END $$;

-- Returns whether this transaction has begun the key with this lock.
CREATE FUNCTION once_pending(lock bigint)
RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT position(
    ',' || lock || ',' IN ',' || coalesce(current_setting('once.pending', true), '')) > 0
$$;

-- Fails the statement, and with it the statements sent after it in the same round trip, unless
-- done.
CREATE FUNCTION once_require(done boolean)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF NOT done THEN
    RAISE EXCEPTION 'the grant is no longer the newest of its key' USING ERRCODE = 'OC001';
  END IF;
  RETURN true;
END $$;

-- Returns whether a record answers a claim as it is; if not, the claim may be granted.
CREATE FUNCTION once_answers(
  r once_record, p_fingerprint text, p_max_attempts integer, p_token bigint,
  p_reconciling boolean, now timestamptz)
RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  -- Formats above 1 are of newer releases. An open record with the claim's own token: the claim was
  -- granted and the grant given back, so this is a late copy of the claim.
  SELECT r.format > 1 OR NOT (r.expires_at <= now OR r.fingerprint = p_fingerprint AND (
    r.state = 'open' AND r.token <> p_token OR r.state = 'in_progress' AND r.lease_until <= now AND (
      r.recovery = 'rerun' AND r.attempts < p_max_attempts OR p_reconciling
      OR r.token = p_token)))
$$;

-- The grant rule: claims a key or reads its record. Every claim that does not simply insert a new
-- record is decided here. Returns a grant (granted = true), or the record that answers the claim
-- (false), or neither (null) if another transaction is working on the key. A record that answers
-- may be an earlier grant of the same claim (same_claim). Its body is returned if it has no more
-- than p_max_body bytes; stored_bytes is its size.
--
-- A record that answers the claim is returned without a lock and without a write. Otherwise the
-- transaction tries to take the key's advisory lock, without waiting, and holds it until it ends.
-- Without the lock, a claim would wait on the primary key for as long as another transaction that
-- has claimed the same new key stays open.
--
-- Each read is a statement with a snapshot of its own, and each write has a condition on what was
-- read, so a record that changed in between is read again. (Under REPEATABLE READ and SERIALIZABLE
-- there is one snapshot for all, and PostgreSQL raises 40001 instead.) A claim does not wait for
-- row locks. Only a foreign INSERT or DELETE without an advisory lock can make it wait, until
-- lock_timeout.
CREATE FUNCTION once_claim(
  p_tenant text, p_scope text, p_key text, p_fingerprint text,
  p_lease interval, p_retention interval, p_recovery text, p_max_attempts integer,
  p_correlation text, p_token bigint, p_reconciling boolean, p_max_body integer,
  OUT granted boolean, OUT fence bigint, OUT attempts integer, OUT format smallint, OUT state text,
  OUT matches boolean, OUT same_claim boolean, OUT lease_left_micros bigint, OUT correlation text,
  OUT status smallint, OUT headers text, OUT body_form text, OUT body_bytes bigint,
  OUT stored_bytes integer, OUT body bytea)
LANGUAGE plpgsql SET lock_timeout = '100ms' AS $$
DECLARE
  known_format CONSTANT smallint := 1;
  r once_record;
  now timestamptz;
  is_expired boolean;
  has_lock boolean := false;
BEGIN
  FOR look IN 1..10 LOOP
    now := clock_timestamp();
    SELECT * INTO r FROM once_record
    WHERE once_record.tenant = p_tenant AND once_record.scope = p_scope
      AND once_record.key = p_key;

    IF FOUND THEN
      is_expired := r.expires_at <= now;
      IF once_answers(r, p_fingerprint, p_max_attempts, p_token, p_reconciling, now) THEN
        granted := false;
        fence := r.fence;
        attempts := r.attempts;
        format := r.format;
        state := r.state;
        matches := r.fingerprint = p_fingerprint;
        same_claim := r.token = p_token;
        lease_left_micros := extract(epoch FROM r.lease_until - now) * 1000000;
        correlation := r.correlation;
        status := r.status;
        headers := r.headers;
        body_form := r.body_form;
        body_bytes := r.body_bytes;
        stored_bytes := octet_length(r.body);
        body := CASE WHEN octet_length(r.body) <= p_max_body THEN r.body END;
        RETURN;
      END IF;
    END IF;

    IF NOT has_lock THEN
      has_lock := pg_try_advisory_xact_lock(once_lock(p_tenant, p_scope, p_key));
      IF NOT has_lock THEN
        RETURN;
      END IF;
      now := clock_timestamp();
    END IF;

    -- The fence is the clock in microseconds, or one more than the last fence if that is higher: it
    -- rises even after the record has expired and been purged.
    fence := extract(epoch FROM now) * 1000000;
    attempts := 1;
    IF r.key IS NULL THEN
      -- Foreign transactions may have many keys of a batch: the batch waits for only one of them.
      IF current_setting('once.waited', true) = 'true' THEN
        RETURN;
      END IF;
      BEGIN
        INSERT INTO once_record (
          tenant, scope, key, format, state, recovery, fingerprint, fence, token, attempts,
          created_at, lease_until, expires_at, correlation, status, headers, body_form, body_bytes)
        VALUES (
          p_tenant, p_scope, p_key, known_format, 'in_progress', p_recovery,
          p_fingerprint, once_claim.fence, p_token, once_claim.attempts, now,
          now + p_lease, now + p_lease + p_retention, p_correlation, 0, '', 'none', 0)
        ON CONFLICT DO NOTHING;
      EXCEPTION WHEN lock_not_available THEN
        PERFORM set_config('once.waited', 'true', true);
        RETURN;
      END;
    ELSE
      fence := greatest(fence, r.fence + 1);
      attempts := CASE WHEN is_expired THEN 1 ELSE r.attempts + 1 END;
      UPDATE once_record AS x SET
        format = known_format, state = 'in_progress',
        -- A later owner cannot make an effect repeatable if the first owner declared it is not.
        recovery = CASE WHEN r.state = 'in_progress' AND r.recovery = 'ask' AND NOT is_expired
                        THEN 'ask' ELSE p_recovery END,
        fingerprint = p_fingerprint, fence = once_claim.fence, token = p_token,
        attempts = once_claim.attempts,
        created_at = CASE WHEN is_expired THEN now ELSE x.created_at END,
        lease_until = now + p_lease, expires_at = now + p_lease + p_retention,
        correlation = p_correlation, status = 0, headers = '', body_form = 'none',
        body_bytes = 0, body = NULL
      WHERE x.ctid = (
        SELECT y.ctid FROM once_record AS y
        WHERE y.tenant = p_tenant AND y.scope = p_scope AND y.key = p_key
          AND y.fence = r.fence AND y.state = r.state AND y.lease_until = r.lease_until
          AND y.expires_at = r.expires_at
        -- Does not wait for a row that another transaction has locked.
        FOR UPDATE SKIP LOCKED);
    END IF;
    IF FOUND THEN
      granted := true;
      RETURN;
    END IF;
  END LOOP;
END $$;

-- Applies the grant rule to many keys: one read of all records, and once_claim for the keys that it
-- does not answer. Returns a row per key, in any order; place counts the keys from 1.
CREATE FUNCTION once_claims(
  p_tenants text[], p_scopes text[], p_keys text[], p_fingerprints text[],
  p_leases bigint[], p_retentions bigint[], p_recoveries text[], p_max_attempts integer[],
  p_correlations text[], p_tokens bigint[], p_reconciling boolean[], p_max_body integer,
  OUT place bigint,
  OUT granted boolean, OUT fence bigint, OUT attempts integer, OUT format smallint, OUT state text,
  OUT matches boolean, OUT same_claim boolean, OUT lease_left_micros bigint, OUT correlation text,
  OUT status smallint, OUT headers text, OUT body_form text, OUT body_bytes bigint,
  OUT stored_bytes integer, OUT body bytea)
RETURNS SETOF record
-- The values in the arrays do not change how a key is looked up: one plan serves all calls.
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  now timestamptz := clock_timestamp();
  is_answered boolean[] := array_fill(false, ARRAY[cardinality(p_keys)]);
  answers integer := 0;
BEGIN
  granted := false;
  FOR place, fence, attempts, format, state, matches, same_claim, lease_left_micros, correlation,
      status, headers, body_form, body_bytes, stored_bytes, body IN
    SELECT a.place, r.fence, r.attempts, r.format, r.state, r.fingerprint = a.fingerprint,
           r.token = a.token, (extract(epoch FROM r.lease_until - now) * 1000000)::bigint,
           r.correlation, r.status, r.headers, r.body_form, r.body_bytes, octet_length(r.body),
           CASE WHEN octet_length(r.body) <= p_max_body THEN r.body END
    FROM unnest(p_tenants, p_scopes, p_keys, p_fingerprints, p_max_attempts, p_tokens,
                p_reconciling) WITH ORDINALITY
      AS a (tenant, scope, key, fingerprint, max_attempts, token, reconciling, place)
    CROSS JOIN LATERAL (
      SELECT * FROM once_record AS x
      WHERE x.tenant = a.tenant AND x.scope = a.scope AND x.key = a.key
      -- With a limit the planner looks up one key after the other, and never reads the whole table.
      LIMIT 1) AS r
    WHERE once_answers(r, a.fingerprint, a.max_attempts, a.token, a.reconciling, now)
  LOOP
    answers := answers + 1;
    is_answered[place] := true;
    RETURN NEXT;
  END LOOP;
  IF answers = cardinality(p_keys) THEN
    RETURN;
  END IF;

  RETURN QUERY
  SELECT a.place, claim.*
  FROM unnest(is_answered, p_tenants, p_scopes, p_keys, p_fingerprints, p_leases,
              p_retentions, p_recoveries, p_max_attempts, p_correlations, p_tokens,
              p_reconciling) WITH ORDINALITY
    AS a (is_answered, tenant, scope, key, fingerprint, lease, retention, recovery, max_attempts,
          correlation, token, reconciling, place)
  CROSS JOIN LATERAL once_claim(
    a.tenant, a.scope, a.key, a.fingerprint, a.lease * interval '1 microsecond',
    a.retention * interval '1 microsecond', a.recovery, a.max_attempts, a.correlation, a.token,
    a.reconciling, p_max_body) AS claim
  WHERE NOT a.is_answered
  ORDER BY a.place;
END $$;

-- Records the outcomes of grants that still own their keys, many in one call, and returns the
-- places of those grants. Does not wait for a row that another transaction has locked.
CREATE FUNCTION once_complete(
  p_tenants text[], p_scopes text[], p_keys text[], p_fences bigint[], p_states text[],
  p_statuses integer[], p_headers text[], p_body_forms text[], p_body_bytes bigint[],
  p_bodies bytea[], p_retentions bigint[])
RETURNS bigint[]
-- Rows are found by key and then updated by their ctid: any other plan reads the whole table. No
-- key occurs twice, so there is nothing to memoize.
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_memoize = off
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  now timestamptz := clock_timestamp();
  places bigint[];
BEGIN
  WITH done AS (
    UPDATE once_record AS r SET
      state = a.state, status = a.status, headers = a.headers, body_form = a.body_form,
      body_bytes = a.body_bytes, body = a.body,
      expires_at = now + a.retention * interval '1 microsecond'
    FROM unnest(p_tenants, p_scopes, p_keys, p_fences, p_states, p_statuses,
                p_headers, p_body_forms, p_body_bytes, p_bodies, p_retentions)
      WITH ORDINALITY AS a (tenant, scope, key, fence, state, status, headers, body_form,
                            body_bytes, body, retention, place)
    CROSS JOIN LATERAL (
      SELECT x.ctid FROM once_record AS x
      WHERE x.tenant = a.tenant AND x.scope = a.scope AND x.key = a.key AND x.fence = a.fence
        AND x.state = 'in_progress' AND x.expires_at > now
      LIMIT 1 FOR UPDATE SKIP LOCKED) AS owned
    WHERE r.ctid = owned.ctid
    RETURNING a.place)
  SELECT coalesce(array_agg(done.place), '{}') INTO places FROM done;
  RETURN places;
END $$;

-- Claims and completes many keys in one call: for effects that are part of this transaction, so
-- that no lease is needed. The keys must be distinct, and in an order that is the same in every
-- transaction, because the call waits for a key that another transaction is about to remember. At
-- most one call per transaction.
--
-- remembered says for each key whether this call recorded it; if it did not, fingerprints has the
-- fingerprint of the existing record. Both are null for a record that was purged during the call,
-- or that only a newer release understands. If all keys have records already, the call writes and
-- locks nothing.
CREATE FUNCTION once_remember(
  p_tenants text[], p_scopes text[], p_keys text[], p_fingerprints text[],
  p_retentions bigint[], p_correlations text[], p_body_forms text[],
  p_body_bytes bigint[], p_bodies bytea[],
  OUT remembered boolean[], OUT fingerprints text[])
LANGUAGE plpgsql AS $$
DECLARE
  known_format CONSTANT smallint := 1;
  now timestamptz := clock_timestamp();
  new_fence bigint := extract(epoch FROM now) * 1000000;
  missing integer;
  new_tenants text[];
  new_scopes text[];
  new_keys text[];
BEGIN
  fingerprints := ARRAY(
    SELECT (
      SELECT r.fingerprint FROM once_record AS r
      WHERE r.tenant = a.tenant AND r.scope = a.scope AND r.key = a.key AND r.expires_at > now
        AND r.state <> 'open' AND r.format <= known_format
      -- With a limit the planner looks up one key after the other, and never reads the whole table.
      LIMIT 1)
    FROM unnest(p_tenants, p_scopes, p_keys) WITH ORDINALITY AS a (tenant, scope, key, place)
    ORDER BY a.place);
  missing := cardinality(array_positions(fingerprints, NULL));
  remembered := ARRAY(SELECT a.fingerprint IS NULL FROM unnest(fingerprints) AS a (fingerprint));
  IF missing = 0 THEN
    RETURN;
  END IF;

  WITH new AS (
    INSERT INTO once_record AS r (
      tenant, scope, key, format, state, recovery, fingerprint, fence, attempts, created_at,
      lease_until, expires_at, correlation, status, headers, body_form, body_bytes, body)
    SELECT
      a.tenant, a.scope, a.key, known_format, 'completed', 'rerun', a.fingerprint, new_fence, 1, now,
      now, now + a.retention * interval '1 microsecond', a.correlation, 0, '',
      a.body_form, a.body_bytes, a.body
    FROM unnest(remembered, p_tenants, p_scopes, p_keys, p_fingerprints, p_retentions,
                p_correlations, p_body_forms, p_body_bytes, p_bodies) WITH ORDINALITY
      AS a (wanted, tenant, scope, key, fingerprint, retention, correlation, body_form, body_bytes,
            body, place)
    WHERE a.wanted
    ORDER BY a.place
    ON CONFLICT (tenant, scope, key) DO UPDATE SET
      format = known_format, state = 'completed', recovery = 'rerun',
      fingerprint = excluded.fingerprint, fence = greatest(excluded.fence, r.fence + 1),
      attempts = CASE WHEN r.expires_at <= now THEN 1 ELSE r.attempts + 1 END,
      created_at = CASE WHEN r.expires_at <= now THEN now ELSE r.created_at END,
      lease_until = now, expires_at = excluded.expires_at, correlation = excluded.correlation,
      status = 0, headers = '', body_form = excluded.body_form, body_bytes = excluded.body_bytes,
      body = excluded.body
    WHERE r.format <= known_format AND (r.expires_at <= now
      OR r.state = 'open' AND r.fingerprint = excluded.fingerprint)
    RETURNING r.tenant, r.scope, r.key)
  SELECT array_agg(new.tenant), array_agg(new.scope), array_agg(new.key)
  INTO new_tenants, new_scopes, new_keys
  FROM new;

  IF coalesce(cardinality(new_keys), 0) < missing THEN
    -- Other transactions were faster. A new statement also sees what they have committed.
    SELECT
      array_agg(CASE WHEN r.fingerprint IS NOT NULL THEN EXISTS (
        SELECT FROM unnest(new_tenants, new_scopes, new_keys) AS n (tenant, scope, key)
        WHERE n.tenant = a.tenant AND n.scope = a.scope AND n.key = a.key) END ORDER BY a.place),
      array_agg(r.fingerprint ORDER BY a.place)
    INTO remembered, fingerprints
    FROM unnest(p_tenants, p_scopes, p_keys) WITH ORDINALITY AS a (tenant, scope, key, place)
    LEFT JOIN LATERAL (
      SELECT x.fingerprint FROM once_record AS x
      WHERE x.tenant = a.tenant AND x.scope = a.scope AND x.key = a.key
        AND x.format <= known_format
      LIMIT 1) AS r ON true;
  END IF;
END $$;
