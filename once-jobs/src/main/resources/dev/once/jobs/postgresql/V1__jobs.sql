-- The versions of this schema that are applied. Every script adds its own.
CREATE TABLE once_job_schema (
  version      integer PRIMARY KEY,
  applied_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);
INSERT INTO once_job_schema (version) VALUES (1);

-- Jobs that are not finished, and dead letters. Text is compared byte by byte (collation "C").
--
--   waiting --run_at--> ready --claim--> running --complete--> once_job_done
--                         ^                |  \--last attempt, or given up--> dead --retry--> ready
--                         |                \--failed--> waiting
--                         \--lease_until passed--/
--   blocked: an earlier job of its aggregate exists; becomes waiting or ready when that one is
--   completed or discarded. The join of a batch is blocked too, until the batch is closed.
CREATE TABLE once_job (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant       text COLLATE "C" NOT NULL,
  queue        text COLLATE "C" NOT NULL,
  type         text COLLATE "C" NOT NULL,
  -- type:resource. With tenant and queue it names the job: job:{tenant}:{queue}:{type}:{resource}.
  key          text COLLATE "C" NOT NULL,
  fingerprint  text COLLATE "C" NOT NULL,
  state        text COLLATE "C" NOT NULL,
  -- A higher priority is claimed first, within its tenant.
  priority     smallint NOT NULL,
  -- Jobs of one aggregate run one after the other, in the order of their ids.
  aggregate    text COLLATE "C",
  -- The batch that it is a member of.
  batch        bigint,
  -- The number of attempts that are counted: those that failed, and those that are counted in
  -- advance (see counted). Claims are not counted, nor runs that were snoozed or returned.
  attempt      integer NOT NULL DEFAULT 0,
  -- When a lease of it expired, first since its last failure. Perhaps its handler ended the process:
  -- its next attempt is counted before the handler begins, so that it cannot do that forever.
  lapsed_at    timestamptz,
  -- Whether the attempt of the present run is counted in advance.
  counted      boolean NOT NULL DEFAULT false,
  -- Increases with every claim; every change by a worker names the fence of its claim. Starts with
  -- the clock in microseconds, so that it is higher than all fences of a purged job that had the
  -- same key.
  fence        bigint NOT NULL
    DEFAULT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
  -- False if the transaction that enqueued it could not see whether its key was used before.
  checked      boolean NOT NULL,
  run_at       timestamptz NOT NULL,
  lease_until  timestamptz,
  enqueued_at  timestamptz NOT NULL,
  -- When it was claimed for its first attempt.
  began_at     timestamptz,
  died_at      timestamptz,
  -- Of a dead letter: from then on, the records of what its attempts did may be gone.
  forget_at    timestamptz,
  correlation  text NOT NULL,
  payload      bytea NOT NULL,
  -- The id of the key that encrypted the payload; null if it is not encrypted.
  sealed_by    text COLLATE "C",
  -- Why the last attempt failed, and its stack trace: as text, or both encrypted, because messages of
  -- exceptions may quote the payload.
  reason       text,
  stack        text,
  failure      bytea
) WITH (
  -- Rows are short-lived. Autovacuum starts early, before many dead tuples have collected.
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.5);

CREATE UNIQUE INDEX once_job_key ON once_job (tenant, queue, key);
-- For claims. The queue comes first because a worker claims from one queue of all tenants. A claim
-- skips from tenant to tenant, so that a tenant with a million jobs costs one step like any other,
-- and reads only the types that it has handlers for.
CREATE INDEX once_job_ready ON once_job (queue, tenant, type, priority DESC, id)
  WHERE state = 'ready';
CREATE INDEX once_job_running ON once_job (queue, tenant) WHERE state = 'running';
-- The included column allows index-only scans for counting.
CREATE INDEX once_job_waiting ON once_job (run_at) INCLUDE (queue) WHERE state = 'waiting';
CREATE INDEX once_job_dead ON once_job (tenant, queue, id) WHERE state = 'dead';
CREATE INDEX once_job_died ON once_job (died_at) WHERE state = 'dead';
CREATE INDEX once_job_aggregate ON once_job (tenant, queue, aggregate, id)
  WHERE aggregate IS NOT NULL;
CREATE INDEX once_job_blocked ON once_job (tenant, queue, aggregate, id) WHERE state = 'blocked';
-- For the newest member of a batch, which usually finishes last. No other index has this order, so
-- the planner has no other way to find it.
CREATE INDEX once_job_member ON once_job (batch, (- id)) WHERE batch IS NOT NULL;

-- The keys of finished jobs, in four parts that are written in rotation, each for half of the
-- retention. Before a part is written again, all its keys are older than the retention, and it is
-- truncated. So removal leaves no dead tuples to vacuum, however many keys there are.
CREATE TABLE once_job_done (
  part         smallint NOT NULL,
  tenant       text COLLATE "C" NOT NULL,
  queue        text COLLATE "C" NOT NULL,
  key          text COLLATE "C" NOT NULL,
  fingerprint  text COLLATE "C" NOT NULL,
  job          bigint NOT NULL,
  attempt      integer NOT NULL,
  discarded    boolean NOT NULL,
  correlation  text NOT NULL,
  finished_at  timestamptz NOT NULL,
  -- Processes may have different retentions.
  keep_until   timestamptz NOT NULL
) PARTITION BY LIST (part);
CREATE TABLE once_job_done_0 PARTITION OF once_job_done FOR VALUES IN (0);
CREATE TABLE once_job_done_1 PARTITION OF once_job_done FOR VALUES IN (1);
CREATE TABLE once_job_done_2 PARTITION OF once_job_done FOR VALUES IN (2);
CREATE TABLE once_job_done_3 PARTITION OF once_job_done FOR VALUES IN (3);
CREATE INDEX once_job_done_key ON once_job_done (tenant, queue, key);

-- The audit trail of operators' changes to jobs and dead letters.
CREATE TABLE once_job_audit (
  tenant       text COLLATE "C" NOT NULL,
  id           bigint GENERATED ALWAYS AS IDENTITY,
  at           timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor        text NOT NULL,
  -- retry, repeat, discard, cancel or postpone.
  action       text NOT NULL,
  job          bigint NOT NULL,
  queue        text COLLATE "C" NOT NULL,
  key          text COLLATE "C" NOT NULL,
  fingerprint  text COLLATE "C" NOT NULL,
  attempt      integer NOT NULL,
  correlation  text NOT NULL,
  PRIMARY KEY (tenant, id)
);
CREATE INDEX once_job_audit_at ON once_job_audit (at);

-- How many jobs of a queue with a rate limit may be claimed now: a token bucket.
CREATE TABLE once_job_rate (
  queue        text COLLATE "C" PRIMARY KEY,
  tokens       double precision NOT NULL,
  refilled_at  timestamptz NOT NULL
);

-- Recurring jobs.
CREATE TABLE once_job_schedule (
  tenant       text COLLATE "C" NOT NULL,
  name         text COLLATE "C" NOT NULL,
  cron         text NOT NULL,
  zone         text NOT NULL,
  queue        text COLLATE "C" NOT NULL,
  type         text COLLATE "C" NOT NULL,
  payload      bytea NOT NULL,
  sealed_by    text COLLATE "C",
  fingerprint  text COLLATE "C" NOT NULL,
  -- Increases with every firing and every change, so that each is made by one node only.
  version      bigint NOT NULL,
  next_at      timestamptz NOT NULL,
  last_at      timestamptz,
  PRIMARY KEY (tenant, name)
);
CREATE INDEX once_job_schedule_next ON once_job_schedule (next_at);

-- Batches. The id is that of the join, a blocked job that becomes ready when the batch is closed.
CREATE TABLE once_job_batch (
  id           bigint PRIMARY KEY,
  tenant       text COLLATE "C" NOT NULL,
  -- Whether it is closed although members are dead letters.
  after_deaths boolean NOT NULL,
  -- How many members it has had; null while it is open.
  members      bigint,
  closed_at    timestamptz
);
CREATE INDEX once_job_batch_open ON once_job_batch (id) WHERE closed_at IS NULL;
CREATE INDEX once_job_batch_closed ON once_job_batch (closed_at) WHERE closed_at IS NOT NULL;

-- How many members an open batch has had, in 64 counters: with a single one, transactions that add
-- members would wait for each other. Each session uses one of them.
CREATE TABLE once_job_batch_count (
  batch        bigint NOT NULL,
  counter      smallint NOT NULL,
  members      bigint NOT NULL,
  PRIMARY KEY (batch, counter)
);

-- The part of once_job_done that is written now.
CREATE FUNCTION once_job_part(kept interval) RETURNS smallint
LANGUAGE sql VOLATILE AS $$
  SELECT (floor(extract(epoch FROM clock_timestamp()) / (extract(epoch FROM kept) / 2))::bigint
    % 4)::smallint
$$;

-- The functions that workers and callers use all the time have one plan per session, which reads the
-- same indexes however many rows there were when it was made. Planning took half of a claim's time.

-- Adds a job, unless its key is in use. Returns the id and the state of the job that has the key:
-- created says whether this call added it, matches whether it has the given fingerprint.
--
-- The new row is inserted first and the finished keys are read afterwards: a job that finishes in
-- between is found in one of the two. That needs a new snapshot for each statement. REPEATABLE READ
-- and SERIALIZABLE have one snapshot for all, so there the job is marked as unchecked and waits
-- until once_job_make_ready, which has a snapshot of its own, has read the finished keys.
--
-- With p_lease, a job that could be claimed at once is leased to the caller's process instead, with
-- the fence that it starts with: state is running then. Other processes see the row when its
-- transaction has committed, and claim the job when the lease has expired.
CREATE FUNCTION once_job_enqueue(
  p_tenant text, p_queue text, p_type text, p_key text, p_fingerprint text,
  p_priority smallint, p_aggregate text, p_delay interval, p_run_at timestamptz,
  p_correlation text, p_payload bytea, p_sealed_by text, p_lease interval DEFAULT NULL,
  OUT id bigint, OUT created boolean, OUT matches boolean, OUT state text, OUT fence bigint,
  OUT enqueued_at timestamptz)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_bitmapscan = off AS $$
DECLARE
  can_look CONSTANT boolean := current_setting('transaction_isolation') = 'read committed';
  now timestamptz := clock_timestamp();
  due timestamptz := coalesce(p_run_at, now + p_delay);
  found_id bigint;
  found_fingerprint text;
BEGIN
  IF p_aggregate IS NOT NULL THEN
    -- Held until the end of the transaction, so that the order of ids is the order of commits.
    PERFORM pg_advisory_xact_lock(hashtextextended(p_tenant,
      hashtextextended(p_queue, hashtextextended(p_aggregate, 0))));
  END IF;

  FOR look IN 1..10 LOOP
    state := CASE
      WHEN NOT can_look OR due > now THEN 'waiting'
      WHEN p_lease IS NULL OR p_aggregate IS NOT NULL THEN 'ready'
      ELSE 'running' END;
    IF p_aggregate IS NOT NULL THEN
      PERFORM 1 FROM once_job j
      WHERE j.tenant = p_tenant AND j.queue = p_queue AND j.aggregate = p_aggregate
      LIMIT 1;
      IF FOUND OR NOT can_look THEN
        state := 'blocked';
      END IF;
    END IF;
    INSERT INTO once_job AS j (
      tenant, queue, type, key, fingerprint, state, priority, aggregate, checked, run_at,
      enqueued_at, correlation, payload, sealed_by, lease_until, began_at)
    VALUES (
      p_tenant, p_queue, p_type, p_key, p_fingerprint, once_job_enqueue.state,
      p_priority, p_aggregate, can_look, due, now, p_correlation, p_payload, p_sealed_by,
      CASE WHEN once_job_enqueue.state = 'running' THEN now + p_lease END,
      CASE WHEN once_job_enqueue.state = 'running' THEN now END)
    ON CONFLICT (tenant, queue, key) DO NOTHING
    RETURNING j.id, j.fence, j.enqueued_at INTO id, fence, enqueued_at;
    created := FOUND;

    IF NOT created THEN
      SELECT j.id, j.fingerprint, j.state INTO id, found_fingerprint, state FROM once_job j
      WHERE j.tenant = p_tenant AND j.queue = p_queue AND j.key = p_key;
      IF FOUND THEN
        matches := found_fingerprint = p_fingerprint;
        RETURN;
      END IF;
    END IF;

    SELECT d.job, d.fingerprint INTO found_id, found_fingerprint FROM once_job_done d
    WHERE d.tenant = p_tenant AND d.queue = p_queue AND d.key = p_key
    LIMIT 1;
    IF FOUND THEN
      IF created THEN
        DELETE FROM once_job j WHERE j.id = once_job_enqueue.id;
      END IF;
      id := found_id;
      created := false;
      matches := found_fingerprint = p_fingerprint;
      state := 'done';
      RETURN;
    END IF;

    IF created THEN
      matches := true;
      RETURN;
    END IF;
    -- The row that blocked the insert is gone, and its key is not finished: insert again.
  END LOOP;
  RAISE EXCEPTION 'once: a job''s key changed hands ten times while it was looked at'
    USING ERRCODE = 'serialization_failure';
END $$;

-- Adds jobs that are ready immediately and have no aggregate, many in one call: those that are
-- wanted and have a payload. For transactions that have made sure by other means that each job is
-- new. If a key is in use nevertheless, the existing job stays and none is added.
CREATE FUNCTION once_job_add(
  p_wanted boolean[], p_tenants text[], p_queues text[], p_types text[], p_keys text[],
  p_fingerprints text[], p_correlations text[], p_payloads bytea[],
  p_sealed_by text[])
RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_bitmapscan = off AS $$
DECLARE
  now timestamptz := clock_timestamp();
BEGIN
  INSERT INTO once_job (
    tenant, queue, type, key, fingerprint, state, priority, checked, run_at, enqueued_at,
    correlation, payload, sealed_by)
  SELECT
    a.tenant, a.queue, a.type, a.key, a.fingerprint, 'ready', 0, true, now, now,
    a.correlation, a.payload, a.sealed_by
  FROM unnest(p_wanted, p_tenants, p_queues, p_types, p_keys, p_fingerprints,
              p_correlations, p_payloads, p_sealed_by) WITH ORDINALITY
    AS a (wanted, tenant, queue, type, key, fingerprint, correlation, payload, sealed_by, place)
  WHERE a.wanted AND a.payload IS NOT NULL
  ORDER BY a.place
  ON CONFLICT (tenant, queue, key) DO NOTHING;
END $$;

-- Claims ready jobs of a queue, round-robin over the tenants, starting after p_after. The unused
-- part of a tenant's share goes to the others. Jobs with an id below p_from are skipped: most of
-- them are finished, and while a transaction stays open, a claim would scan their dead tuples. A
-- claim ends with the job whose payload reaches p_bytes. A queue with p_rate has that many tokens at
-- most, which come back evenly over p_rate_time; each job takes one.
CREATE FUNCTION once_job_claim(
  p_queue text, p_types text[], p_after text, p_from bigint, p_count integer, p_bytes bigint,
  p_lease interval, p_max integer, p_tenant_max integer, p_rate integer, p_rate_time interval)
RETURNS SETOF once_job
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_bitmapscan = off AS $$
DECLARE
  max_tenants CONSTANT integer := 64;
  wanted integer := p_count;
  bytes_left bigint := p_bytes;
  claimed integer;
  job once_job;
  reached text := p_after;
  is_second_round boolean := false;
  tenants text[];
  share integer;
BEGIN
  IF p_max IS NOT NULL OR p_tenant_max IS NOT NULL OR p_rate IS NOT NULL THEN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
      RAISE EXCEPTION 'a queue with limits needs workers whose connections are READ COMMITTED';
    END IF;
    -- Serializes claims: each counts the running jobs only after the one before has added its own.
    PERFORM pg_advisory_xact_lock(hashtextextended(p_queue, 1));
  END IF;
  IF p_max IS NOT NULL THEN
    wanted := least(wanted, p_max - (
      SELECT count(*) FROM once_job j WHERE j.state = 'running' AND j.queue = p_queue));
  END IF;
  IF p_rate IS NOT NULL THEN
    INSERT INTO once_job_rate AS r (queue, tokens, refilled_at)
    VALUES (p_queue, p_rate, clock_timestamp())
    ON CONFLICT (queue) DO UPDATE SET
      tokens = least(p_rate, r.tokens + p_rate * greatest(0, extract(
        epoch FROM excluded.refilled_at - r.refilled_at) / extract(epoch FROM p_rate_time))),
      refilled_at = excluded.refilled_at
    RETURNING least(wanted, floor(r.tokens)::integer) INTO wanted;
  END IF;
  IF wanted <= 0 THEN
    RETURN;
  END IF;

  LOOP
    WITH RECURSIVE walk (tenant, place) AS (
      (SELECT j.tenant, 1 FROM once_job j
       WHERE j.state = 'ready' AND j.queue = p_queue AND j.tenant > reached COLLATE "C"
         AND j.id >= p_from
       ORDER BY j.tenant LIMIT 1)
      UNION ALL
      SELECT n.tenant, w.place + 1 FROM walk w CROSS JOIN LATERAL (
        SELECT j.tenant FROM once_job j
        WHERE j.state = 'ready' AND j.queue = p_queue AND j.tenant > w.tenant
          AND j.id >= p_from
        ORDER BY j.tenant LIMIT 1) n
      WHERE w.place < max_tenants)
    SELECT array_agg(w.tenant ORDER BY w.place) INTO tenants FROM walk w
    WHERE NOT is_second_round OR w.tenant <= p_after COLLATE "C";

    IF tenants IS NULL THEN
      EXIT WHEN is_second_round OR p_after = '';
      is_second_round := true;
      reached := '';
      CONTINUE;
    END IF;

    share := ceil(wanted::numeric / cardinality(tenants));
    LOOP
      claimed := 0;
      FOR job IN
      -- Picks first and updates then: in one step the planner may update more rows than the limit.
      WITH picked AS MATERIALIZED (
        SELECT p.id, p.fence, p.bytes, row_number() OVER () AS turn
        FROM unnest(tenants) WITH ORDINALITY AS t (tenant, place)
        CROSS JOIN LATERAL (
          SELECT c.id, c.fence, c.bytes FROM unnest(p_types) AS y (type)
          CROSS JOIN LATERAL (
            SELECT j.id, j.fence, j.priority, octet_length(j.payload) AS bytes FROM once_job j
            WHERE j.state = 'ready' AND j.queue = p_queue AND j.tenant = t.tenant COLLATE "C"
              AND j.type = y.type COLLATE "C" AND j.id >= p_from
            ORDER BY j.priority DESC, j.id
            LIMIT share
            FOR UPDATE SKIP LOCKED) c
          ORDER BY c.priority DESC, c.id
          LIMIT CASE WHEN p_tenant_max IS NULL THEN share
            ELSE greatest(0, least(share, p_tenant_max - (
              SELECT count(*) FROM once_job r
              WHERE r.state = 'running' AND r.queue = p_queue
                AND r.tenant = t.tenant COLLATE "C")))
            END) p
        ORDER BY t.place
        LIMIT wanted),
      -- The locks of the others end with the transaction.
      fitting AS MATERIALIZED (
        SELECT f.id, f.fence FROM (
          SELECT p.id, p.fence, sum(p.bytes) OVER (ORDER BY p.turn) - p.bytes AS bytes_before
          FROM picked p) f
        WHERE f.bytes_before < bytes_left)
      UPDATE once_job j SET
        state = 'running', fence = j.fence + 1, counted = false,
        began_at = coalesce(j.began_at, clock_timestamp()),
        lease_until = clock_timestamp() + p_lease
      FROM fitting p
      WHERE j.id = p.id AND j.fence = p.fence AND j.state = 'ready'
      RETURNING j.*
      LOOP
        claimed := claimed + 1;
        bytes_left := bytes_left - octet_length(job.payload);
        RETURN NEXT job;
      END LOOP;
      wanted := wanted - claimed;
      IF p_rate IS NOT NULL AND claimed > 0 THEN
        UPDATE once_job_rate r SET tokens = r.tokens - claimed WHERE r.queue = p_queue;
      END IF;
      IF wanted <= 0 OR bytes_left <= 0 THEN
        RETURN;
      END IF;
      EXIT WHEN claimed = 0 OR cardinality(tenants) = 1;
      share := wanted;
    END LOOP;
    reached := tenants[cardinality(tenants)];
  END LOOP;
END $$;

-- Makes jobs ready that are due or whose lease expired. Returns the queues that have newly ready
-- jobs, and the time in microseconds until the next job is due.
CREATE FUNCTION once_job_make_ready(
  p_limit integer, OUT rescued integer, OUT queues text[], OUT next_due_micros bigint)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_bitmapscan = off SET enable_sort = off SET enable_hashjoin = off
  SET enable_mergejoin = off AS $$
DECLARE
  -- A constant can be an index condition; the volatile function is evaluated for every row.
  now CONSTANT timestamptz := clock_timestamp();
  due_queues text[];
BEGIN
  -- The rows are locked, so the ids say which they are. In an array they are looked up one by one,
  -- also by a plan that was made for an empty table.
  WITH lapsed AS MATERIALIZED (
    SELECT j.id FROM once_job j
    WHERE j.state = 'running' AND j.lease_until <= now
    ORDER BY j.queue, j.tenant -- Of the index.
    LIMIT p_limit
    FOR UPDATE SKIP LOCKED),
  freed AS (
    UPDATE once_job j SET
      state = 'ready', lapsed_at = coalesce(j.lapsed_at, j.lease_until), lease_until = NULL, reason = 'its lease expired',
      stack = NULL, failure = NULL
    WHERE j.id = ANY (ARRAY(SELECT l.id FROM lapsed l)) AND j.state || '' = 'running'
    RETURNING j.queue)
  SELECT count(*), coalesce(array_agg(DISTINCT f.queue), '{}') INTO rescued, queues FROM freed f;

  -- Jobs whose key could not be checked when they were enqueued: it may be finished already.
  WITH unchecked AS MATERIALIZED (
    SELECT j.id, j.fingerprint = d.fingerprint AS matches
    FROM once_job j JOIN LATERAL (
      SELECT o.fingerprint FROM once_job_done o
      WHERE o.tenant = j.tenant AND o.queue = j.queue AND o.key = j.key LIMIT 1) d ON true
    WHERE j.state = 'waiting' AND j.run_at <= now AND NOT j.checked
    ORDER BY j.run_at
    LIMIT p_limit
    FOR UPDATE OF j SKIP LOCKED),
  joined AS (
    DELETE FROM once_job j
    WHERE j.id = ANY (ARRAY(SELECT u.id FROM unchecked u WHERE u.matches))
      AND j.state || '' = 'waiting')
  UPDATE once_job j SET
    state = 'dead', died_at = clock_timestamp(), checked = true,
    reason = 'its key was used before, with another payload', stack = NULL, failure = NULL
  WHERE j.id = ANY (ARRAY(SELECT u.id FROM unchecked u WHERE NOT u.matches))
    AND j.state || '' = 'waiting';

  -- This statement has a newer snapshot: keys that were finished since have to be checked again.
  WITH due AS MATERIALIZED (
    SELECT j.id FROM once_job j
    WHERE j.state = 'waiting' AND j.run_at <= now
      AND (j.checked OR NOT EXISTS (
        SELECT 1 FROM once_job_done o
        WHERE o.tenant = j.tenant AND o.queue = j.queue AND o.key = j.key))
    ORDER BY j.run_at
    LIMIT p_limit
    FOR UPDATE SKIP LOCKED),
  woken AS (
    UPDATE once_job j SET state = 'ready', checked = true
    WHERE j.id = ANY (ARRAY(SELECT d.id FROM due d)) AND j.state || '' = 'waiting'
    RETURNING j.queue)
  SELECT array_agg(DISTINCT w.queue) INTO due_queues FROM woken w;
  queues := queues || coalesce(due_queues, '{}');

  SELECT greatest(0, extract(epoch FROM j.run_at - clock_timestamp()) * 1000000)
  INTO next_due_micros
  FROM once_job j WHERE j.state = 'waiting' ORDER BY j.run_at LIMIT 1;
END $$;

-- Closes those of the batches whose members are all finished, and makes their joins ready. Returns
-- the queues of the joins.
--
-- A transaction that adds members holds a shared lock of the batch until it ends. The first
-- statement skips batches with such a lock; the second one has a newer snapshot, with the members
-- that were added before the first one had locked the batch. REPEATABLE READ would have one snapshot
-- for both.
CREATE FUNCTION once_job_close_batches(p_batches bigint[], OUT queues text[])
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  locked bigint[];
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'batches of jobs are closed by transactions that are READ COMMITTED';
  END IF;
  SELECT array_agg(l.id) INTO locked FROM (
    SELECT b.id FROM once_job_batch b
    WHERE b.id = ANY (p_batches) AND b.closed_at IS NULL
      AND (SELECT m.id FROM once_job m
           WHERE m.batch = b.id AND (NOT b.after_deaths OR m.state || '' <> 'dead')
           ORDER BY - m.id LIMIT 1) IS NULL
    FOR UPDATE SKIP LOCKED) l;
  IF locked IS NULL THEN
    queues := '{}';
    RETURN;
  END IF;

  WITH closed AS (
    UPDATE once_job_batch b SET
      closed_at = clock_timestamp(),
      members = (SELECT coalesce(sum(c.members), 0) FROM once_job_batch_count c
                 WHERE c.batch = b.id)
    WHERE b.id = ANY (locked) AND b.closed_at IS NULL
      AND (SELECT m.id FROM once_job m
           WHERE m.batch = b.id AND (NOT b.after_deaths OR m.state || '' <> 'dead')
           ORDER BY - m.id LIMIT 1) IS NULL
    RETURNING b.id),
  counted AS (
    DELETE FROM once_job_batch_count c WHERE c.batch = ANY (ARRAY(SELECT id FROM closed))),
  joined AS (
    UPDATE once_job j SET
      state = CASE
        WHEN NOT j.checked OR j.run_at > clock_timestamp() THEN 'waiting' ELSE 'ready' END
    WHERE j.id = ANY (ARRAY(SELECT id FROM closed)) AND j.state || '' = 'blocked'
    RETURNING j.queue)
  SELECT coalesce(array_agg(DISTINCT q.queue), '{}') INTO queues FROM joined q;
END $$;

-- Truncates the part of once_job_done that is written next, if all its keys are older than the
-- retention. Fails with lock_not_available if an open transaction has used the part.
CREATE FUNCTION once_job_purge(kept interval) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  part CONSTANT text := 'once_job_done_' || (once_job_part(kept) + 1) % 4;
  removed bigint;
  latest timestamptz;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('once_job_purge', 0)) THEN
    RETURN 0;
  END IF;
  -- Enqueueing reads all parts, and would wait behind this lock request.
  PERFORM set_config('lock_timeout', '100ms', true);
  EXECUTE format('LOCK TABLE %I IN SHARE MODE', part);
  EXECUTE format('SELECT count(*), max(keep_until) FROM %I', part) INTO removed, latest;
  IF removed = 0 OR latest > clock_timestamp() THEN
    RETURN 0;
  END IF;
  EXECUTE format('TRUNCATE %I', part);
  RETURN removed;
END $$;
