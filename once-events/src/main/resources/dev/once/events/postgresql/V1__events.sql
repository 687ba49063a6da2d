CREATE SCHEMA IF NOT EXISTS ${schema};

-- The versions of this schema that are applied. Every script adds its own.
CREATE TABLE ${schema}.schema_version (
  version      integer PRIMARY KEY,
  applied_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);
INSERT INTO ${schema}.schema_version (version) VALUES (1);

-- The last sequence per handler and aggregate. Stores reserve sequences under the handler
-- "<prefix>:<aggregate type>"; consumers remember under their own name how far they are. Rows are
-- never purged before the log is. Text is compared byte by byte (collation "C").
CREATE TABLE ${schema}.aggregate_version (
  handler        text COLLATE "C" NOT NULL,
  aggregate      text COLLATE "C" NOT NULL,
  last_sequence  bigint NOT NULL,
  -- Of stores alone: where the last event is in the log, so that the next one comes after it.
  last_xact      bigint,
  last_time      timestamptz,
  PRIMARY KEY (handler, aggregate)
) WITH (fillfactor = 80);

-- The log of the store on PostgreSQL. It is read in the order (xact, position), up to the oldest
-- transaction that still runs: none can add an event before that point.
CREATE TABLE ${schema}.event (
  aggregate       text COLLATE "C" NOT NULL,
  sequence        bigint NOT NULL,
  event_id        text COLLATE "C" NOT NULL,
  -- The id of the appending transaction, or of the transaction that appended the aggregate's
  -- previous event if that is higher: a transaction may append after one that began later. The
  -- offset of the log is added.
  xact            bigint NOT NULL,
  position        bigint GENERATED ALWAYS AS IDENTITY,
  appended_at     timestamptz NOT NULL,
  aggregate_type  text COLLATE "C" NOT NULL,
  aggregate_id    text COLLATE "C" NOT NULL,
  kind            text COLLATE "C" NOT NULL,
  type            text COLLATE "C" NOT NULL,
  source          text COLLATE "C" NOT NULL,
  content_type    text COLLATE "C" NOT NULL,
  fingerprint     text COLLATE "C" NOT NULL,
  metadata        text NOT NULL,
  data            bytea NOT NULL,
  PRIMARY KEY (aggregate, sequence)
);
CREATE UNIQUE INDEX event_by_id ON ${schema}.event (event_id);
CREATE INDEX event_log ON ${schema}.event (xact, position);

-- Added to transaction ids, so that they rise after the log was moved to another cluster.
CREATE TABLE ${schema}.log_offset (value bigint NOT NULL);
INSERT INTO ${schema}.log_offset VALUES (0);

-- The id of the current transaction, in terms of the log.
CREATE FUNCTION ${schema}.log_xact() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT pg_current_xact_id()::text::bigint + value FROM ${schema}.log_offset
$$;

-- Transactions with lower ids have ended, so that the log is complete below it.
CREATE FUNCTION ${schema}.log_end() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint + value FROM ${schema}.log_offset
$$;

-- Continues a log that was moved here from a cluster with higher transaction ids. Until it is called,
-- appends are refused.
CREATE FUNCTION ${schema}.adopt_moved_log() RETURNS bigint LANGUAGE sql AS $$
  UPDATE ${schema}.log_offset
  SET value = greatest(value, (SELECT max(xact) FROM ${schema}.event))
  RETURNING value
$$;

CREATE TABLE ${schema}.snapshot (
  aggregate  text COLLATE "C" PRIMARY KEY,
  sequence   bigint NOT NULL,
  data       bytea NOT NULL
);

-- Sequences for stores that keep their events elsewhere: reserved before an event is written, and
-- deleted after that. One that expired is settled by a reader of the log: either the event is there,
-- or a marker takes its place.
CREATE TABLE ${schema}.sequence_reservation (
  log          text COLLATE "C" NOT NULL,
  event_id     text COLLATE "C" NOT NULL,
  aggregate    text COLLATE "C" NOT NULL,
  sequence     bigint NOT NULL,
  fingerprint  text COLLATE "C" NOT NULL,
  -- The time under which the event is in the log.
  event_time   timestamptz NOT NULL,
  expires_at   timestamptz NOT NULL,
  PRIMARY KEY (log, event_id)
);
CREATE INDEX sequence_reservation_time ON ${schema}.sequence_reservation (log, event_time);

-- The time up to which a log was read. No reservation made after that gets an earlier time, also if
-- the clock was set back.
CREATE TABLE ${schema}.log_time (
  log    text COLLATE "C" PRIMARY KEY,
  read_until  timestamptz NOT NULL
);

-- The relays, the lease that decides which process runs each, and how far each published a log that
-- has no place of its own for that.
CREATE TABLE ${schema}.relay (
  name         text COLLATE "C" PRIMARY KEY,
  owner        text COLLATE "C" NOT NULL,
  fence        bigint NOT NULL,
  lease_until  timestamptz NOT NULL,
  position     text COLLATE "C" NOT NULL DEFAULT '',
  recent_ids   text[] COLLATE "C" NOT NULL DEFAULT '{}'
);

-- Advances an aggregate's last sequence, and returns null if it is not the expected one. The row
-- stays locked until the transaction ends, so that appends to an aggregate are serialized.
CREATE FUNCTION ${schema}.next_sequence(
    p_handler text, p_aggregate text, p_expected bigint, p_xact bigint, p_not_before timestamptz,
    OUT sequence bigint, OUT xact bigint, OUT event_time timestamptz)
LANGUAGE plpgsql AS $$
BEGIN
  LOOP
    UPDATE ${schema}.aggregate_version v
    SET last_sequence = v.last_sequence + 1,
        last_xact = greatest(v.last_xact, p_xact),
        last_time = greatest(clock_timestamp(), p_not_before, v.last_time + interval '1 microsecond')
    WHERE v.handler = p_handler AND v.aggregate = p_aggregate
      AND (p_expected IS NULL OR v.last_sequence = p_expected)
    RETURNING v.last_sequence, v.last_xact, v.last_time INTO sequence, xact, event_time;
    IF FOUND OR coalesce(p_expected, 0) > 0 THEN
      RETURN;
    END IF;
    INSERT INTO ${schema}.aggregate_version AS v (
      handler, aggregate, last_sequence, last_xact, last_time)
    VALUES (p_handler, p_aggregate, 1, p_xact, greatest(clock_timestamp(), p_not_before))
    ON CONFLICT DO NOTHING
    RETURNING v.last_sequence, v.last_xact, v.last_time INTO sequence, xact, event_time;
    IF FOUND OR p_expected IS NOT NULL THEN
      RETURN;
    END IF;
  END LOOP;
END $$;

-- Appends events in the order given, and answers for each:
--   appended   with its sequence and time
--   duplicate  with the fingerprint of the event that has the id
--   conflict   with the aggregate's last sequence
--   busy       only if p_waits is false: another transaction appends to the aggregate
--
-- A transaction that appends keeps its aggregates locked until it ends, which may take long. So events
-- of several callers are appended without waiting; each that is busy has to be appended alone then.
-- Waits that cannot be skipped, for an aggregate or an id that a transaction is about to create, fail
-- after p_lock_millis; null leaves the timeout to the caller's transaction.
--
-- Plans must not depend on what the tables contained when a session planned first.
CREATE FUNCTION ${schema}.append_events(
    p_waits boolean, p_lock_millis integer, p_handlers text[], p_aggregates text[],
    p_expected bigint[], p_given bigint[], p_event_ids text[], p_aggregate_types text[],
    p_aggregate_ids text[], p_kinds text[], p_types text[], p_sources text[],
    p_content_types text[], p_fingerprints text[], p_metadata text[], p_data bytea[])
RETURNS TABLE (result text, sequence bigint, appended_at timestamptz, fingerprint text)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_bitmapscan = off AS $$
DECLARE
  -- Before an aggregate is locked: the log is read up to the oldest transaction that has an id.
  v_xact bigint := ${schema}.log_xact();
  v_version record;
  v_exists boolean;
  v_was_absent boolean;
BEGIN
  IF p_lock_millis IS NOT NULL THEN
    PERFORM set_config('lock_timeout', p_lock_millis::text, true);
  END IF;

  FOR i IN 1 .. cardinality(p_event_ids) LOOP
    v_was_absent := false;
    LOOP -- Once more if another transaction has created the aggregate meanwhile.
      result := NULL;
      sequence := NULL;
      appended_at := NULL;
      fingerprint := NULL;
      IF p_waits THEN
        -- A retry is answered without waiting.
        SELECT e.fingerprint INTO fingerprint
        FROM ${schema}.event e WHERE e.event_id = p_event_ids[i];
        IF FOUND THEN
          result := 'duplicate';
          EXIT;
        END IF;
        SELECT v.last_sequence, v.last_xact, v.last_time INTO v_version
        FROM ${schema}.aggregate_version v
        WHERE v.handler = p_handlers[i] AND v.aggregate = p_aggregates[i]
        FOR NO KEY UPDATE;
        v_exists := FOUND;
      ELSE
        SELECT v.last_sequence, v.last_xact, v.last_time INTO v_version
        FROM ${schema}.aggregate_version v
        WHERE v.handler = p_handlers[i] AND v.aggregate = p_aggregates[i]
        FOR NO KEY UPDATE SKIP LOCKED;
        v_exists := FOUND;
        IF NOT v_exists THEN
          PERFORM FROM ${schema}.aggregate_version v
          WHERE v.handler = p_handlers[i] AND v.aggregate = p_aggregates[i];
          IF FOUND THEN
            result := 'busy';
            EXIT;
          END IF;
        END IF;
      END IF;

      IF p_given[i] IS NOT NULL THEN
        sequence := p_given[i];
      ELSIF p_expected[i] IS NULL OR p_expected[i] = coalesce(v_version.last_sequence, 0) THEN
        sequence := coalesce(v_version.last_sequence, 0) + 1;
      END IF;
      IF sequence IS NOT NULL THEN
        appended_at := greatest(clock_timestamp(), v_version.last_time + interval '1 microsecond');
        INSERT INTO ${schema}.event (
          aggregate, sequence, event_id, xact, appended_at, aggregate_type, aggregate_id, kind,
          type, source, content_type, fingerprint, metadata, data)
        VALUES (
          p_aggregates[i], append_events.sequence, p_event_ids[i],
          greatest(v_version.last_xact, v_xact), append_events.appended_at, p_aggregate_types[i],
          p_aggregate_ids[i], p_kinds[i], p_types[i], p_sources[i], p_content_types[i],
          p_fingerprints[i], p_metadata[i], p_data[i])
        ON CONFLICT DO NOTHING;
        IF FOUND THEN
          result := 'appended';
          IF v_exists THEN
            UPDATE ${schema}.aggregate_version v
            SET last_sequence = greatest(v.last_sequence, append_events.sequence),
                last_xact = greatest(v.last_xact, v_xact),
                last_time = append_events.appended_at
            WHERE v.handler = p_handlers[i] AND v.aggregate = p_aggregates[i];
          ELSE
            INSERT INTO ${schema}.aggregate_version AS v (
              handler, aggregate, last_sequence, last_xact, last_time)
            VALUES (
              p_handlers[i], p_aggregates[i], append_events.sequence, v_xact,
              append_events.appended_at)
            -- Events with given sequences may create an aggregate at the same time.
            ON CONFLICT ON CONSTRAINT aggregate_version_pkey DO UPDATE
            SET last_sequence = greatest(v.last_sequence, excluded.last_sequence),
                last_xact = greatest(v.last_xact, excluded.last_xact),
                last_time = greatest(v.last_time, excluded.last_time);
          END IF;
          EXIT;
        END IF;
      END IF;

      -- An event has the id or the place, or the sequence is not the expected one.
      SELECT e.fingerprint INTO fingerprint
      FROM ${schema}.event e WHERE e.event_id = p_event_ids[i];
      IF FOUND THEN
        result := 'duplicate';
        EXIT;
      END IF;
      IF v_exists OR sequence IS NULL OR p_given[i] IS NOT NULL THEN
        result := 'conflict';
        sequence := coalesce(v_version.last_sequence, 0);
        EXIT;
      END IF;
      IF v_was_absent THEN
        RAISE EXCEPTION 'aggregate % has events that were appended under another handler prefix',
          p_aggregates[i];
      END IF;
      v_was_absent := true;
    END LOOP;
    RETURN NEXT;
  END LOOP;
END $$;

-- Reserves a sequence for an event that is written elsewhere, or returns what stands in the way:
--   reserved  with its sequence and time, also if this event has a reservation already
--   mismatch  with the fingerprint of the event that reserved under the id
--   conflict  with the aggregate's last sequence
CREATE FUNCTION ${schema}.reserve_sequence(
    p_log text, p_handler text, p_aggregate text, p_expected bigint, p_event_id text,
    p_fingerprint text, p_lease interval,
    OUT result text, OUT sequence bigint, OUT event_time timestamptz, OUT fingerprint text)
LANGUAGE plpgsql AS $$
DECLARE
  v_xact bigint;
  v_place record;
  v_read_until timestamptz;
BEGIN
  UPDATE ${schema}.sequence_reservation r SET expires_at = clock_timestamp() + p_lease
  WHERE r.log = p_log AND r.event_id = p_event_id
  RETURNING r.sequence, r.event_time, r.fingerprint INTO sequence, event_time, fingerprint;
  IF NOT FOUND THEN
    -- Before the time is chosen: a reader waits for the transactions that have an id when it decides
    -- up to which time it reads, and later ones see its decision.
    v_xact := ${schema}.log_xact();
    SELECT t.read_until INTO v_read_until FROM ${schema}.log_time t WHERE t.log = p_log;
    SELECT * INTO v_place
    FROM ${schema}.next_sequence(
      p_handler, p_aggregate, p_expected, v_xact, v_read_until + interval '1 microsecond');
    IF v_place.sequence IS NOT NULL THEN
      INSERT INTO ${schema}.sequence_reservation (
        log, event_id, aggregate, sequence, fingerprint, event_time, expires_at)
      VALUES (
        p_log, p_event_id, p_aggregate, v_place.sequence, p_fingerprint, v_place.event_time,
        clock_timestamp() + p_lease)
      ON CONFLICT DO NOTHING;
      IF FOUND THEN
        result := 'reserved';
        sequence := v_place.sequence;
        event_time := v_place.event_time;
        RETURN;
      END IF;
      -- The sequence is not used. The row is locked, so no other transaction has seen it.
      UPDATE ${schema}.aggregate_version v SET last_sequence = v.last_sequence - 1
      WHERE v.handler = p_handler AND v.aggregate = p_aggregate;
    END IF;

    -- A concurrent append of the same event has reserved, or the sequence is not the expected one.
    SELECT r.sequence, r.event_time, r.fingerprint INTO sequence, event_time, fingerprint
    FROM ${schema}.sequence_reservation r WHERE r.log = p_log AND r.event_id = p_event_id;
    IF NOT FOUND THEN
      result := 'conflict';
      SELECT v.last_sequence INTO sequence FROM ${schema}.aggregate_version v
      WHERE v.handler = p_handler AND v.aggregate = p_aggregate;
      sequence := coalesce(sequence, 0);
      RETURN;
    END IF;
  END IF;
  result := CASE WHEN fingerprint = p_fingerprint THEN 'reserved' ELSE 'mismatch' END;
END $$;
