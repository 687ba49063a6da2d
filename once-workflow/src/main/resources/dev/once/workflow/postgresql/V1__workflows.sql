-- The versions of this schema that are applied. Every script adds its own.
CREATE TABLE once_workflow_schema (
  version      integer PRIMARY KEY,
  applied_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);
INSERT INTO once_workflow_schema (version) VALUES (1);

-- Runs of workflows. A run is executed by activations: jobs that call its code, which continues after
-- what the history has, until it ends or has to wait. Every reason to continue is a job: the start, a
-- timer, a signal, the end of a child, an operator.
--
--   running --the code returns--> completed
--      |--the code throws--> compensating --all compensations have ended--> failed
--      \--cancel_requested-> compensating --all compensations have ended--> cancelled
CREATE TABLE once_workflow_run (
  tenant       text COLLATE "C" NOT NULL,
  run          text COLLATE "C" NOT NULL,
  workflow     text COLLATE "C" NOT NULL,
  version      integer NOT NULL,
  fingerprint  text COLLATE "C" NOT NULL,
  state        text COLLATE "C" NOT NULL DEFAULT 'running',
  -- Increases with every activation. What an earlier activation writes is refused. Starts with the
  -- clock in microseconds, so that it is higher than all fences of a purged run with the same name.
  fence        bigint NOT NULL
    DEFAULT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
  -- How often its code was called.
  activations  bigint NOT NULL DEFAULT 0,
  -- The job of the activation that executes the run; null while the run waits.
  owner_job    bigint,
  -- When the earliest job is due that continues this run because of time.
  timer_at     timestamptz,
  cancel_requested boolean NOT NULL DEFAULT false,
  -- The run and the entry of its history that wait for the end of this one.
  parent_run   text COLLATE "C",
  parent_path  text COLLATE "C",
  -- Input, value and failure are packed, and sealed if there are keys.
  input        bytea NOT NULL,
  value        bytea,
  failure      bytea,
  started_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at     timestamptz,
  PRIMARY KEY (tenant, run)
) WITH (
  -- Activations update columns that no index has; the free space keeps these updates on their page.
  fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);

CREATE INDEX once_workflow_run_state ON once_workflow_run (tenant, state, run);
CREATE INDEX once_workflow_run_ended ON once_workflow_run (ended_at) WHERE ended_at IS NOT NULL;

-- The histories of runs: one entry for each call of the workflow context, under the call's place in the
-- code: 1, 2, and so on; 3/1/2 for the second call in the first branch of the third call. A
-- compensation has the path of its step followed by ~.
CREATE TABLE once_workflow_entry (
  tenant       text COLLATE "C" NOT NULL,
  run          text COLLATE "C" NOT NULL,
  path         text COLLATE "C" NOT NULL,
  -- step, timer, signal, child, choice or compensation.
  kind         text COLLATE "C" NOT NULL,
  name         text COLLATE "C" NOT NULL,
  -- The hash of a step's input; the run of a child.
  input        text COLLATE "C",
  -- begun: its effect may have happened. waiting: for time, a signal, or a child. uncertain: whether
  -- its effect happened has to be asked. registered: a compensation. done, failed. expired: no signal
  -- arrived in time. abandoned: another branch won.
  state        text COLLATE "C" NOT NULL,
  -- The number of attempts that failed.
  attempt      integer NOT NULL,
  value        bytea,
  failure      bytea,
  due_at       timestamptz,
  -- The order in which the entries were first written.
  number       bigint GENERATED ALWAYS AS IDENTITY,
  started_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant, run, path)
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);

-- Signals to runs, kept until their run is purged so that each is accepted once.
CREATE TABLE once_workflow_signal (
  tenant       text COLLATE "C" NOT NULL,
  run          text COLLATE "C" NOT NULL,
  name         text COLLATE "C" NOT NULL,
  id           text COLLATE "C" NOT NULL,
  number       bigint GENERATED ALWAYS AS IDENTITY,
  value        bytea NOT NULL,
  -- The entry that received it; null while it waits.
  taken_by     text COLLATE "C",
  received_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant, run, name, id)
);
CREATE INDEX once_workflow_signal_waiting ON once_workflow_signal (tenant, run, name, number)
  WHERE taken_by IS NULL;

-- The functions have one plan per session, which reads the indexes even if it was made for empty
-- tables.
--
-- Correct in every isolation level: where a later statement must see what others have committed
-- while an earlier one waited for a lock, it has a snapshot of its own in READ COMMITTED. The other
-- levels have one snapshot; there a row is updated in place of being locked, so that the
-- transaction with the older snapshot fails by a conflict, and is repeated.

-- Creates a run, unless there is one with that name. matches: whether the run has this workflow,
-- input and parent.
CREATE FUNCTION once_workflow_start(
  p_tenant text, p_run text, p_workflow text, p_version integer, p_fingerprint text, p_input bytea,
  p_parent_run text, p_parent_path text, OUT created boolean, OUT matches boolean,
  OUT fence bigint)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_bitmapscan = off AS $$
BEGIN
  FOR look IN 1..10 LOOP
    INSERT INTO once_workflow_run AS r (
      tenant, run, workflow, version, fingerprint, input, parent_run, parent_path)
    VALUES (
      p_tenant, p_run, p_workflow, p_version, p_fingerprint, p_input, p_parent_run, p_parent_path)
    ON CONFLICT (tenant, run) DO NOTHING
    RETURNING r.fence INTO fence;
    created := FOUND;
    matches := true;
    IF created THEN
      RETURN;
    END IF;
    -- A start that is repeated after a deploy asks for a newer version; the run keeps its own.
    SELECT r.workflow = p_workflow AND r.fingerprint = p_fingerprint
      AND r.parent_run IS NOT DISTINCT FROM p_parent_run
      AND r.parent_path IS NOT DISTINCT FROM p_parent_path INTO matches
    FROM once_workflow_run r WHERE r.tenant = p_tenant AND r.run = p_run;
    IF FOUND AND NOT (matches AND p_parent_run IS NOT NULL) THEN
      RETURN;
    END IF;
    IF FOUND THEN
      -- Of two transactions, this one and the end of the child, the second one sees the first one's
      -- changes: so the entry learns of the end, whenever that is.
      UPDATE once_workflow_run r SET fence = r.fence
      WHERE r.tenant = p_tenant AND r.run = p_run;
      UPDATE once_workflow_entry e SET
        state = CASE WHEN r.state = 'completed' THEN 'done' ELSE 'failed' END,
        value = r.value, failure = r.failure, changed_at = clock_timestamp()
      FROM once_workflow_run r
      WHERE r.tenant = p_tenant AND r.run = p_run AND r.ended_at IS NOT NULL
        AND e.tenant = p_tenant AND e.run = p_parent_run AND e.path = p_parent_path
        AND e.state = 'waiting';
      RETURN;
    END IF;
    -- The row that blocked the insert was purged: insert again.
  END LOOP;
  RAISE EXCEPTION 'once: a run was purged ten times while it was started'
    USING ERRCODE = 'serialization_failure';
END $$;

-- Makes p_job, as claimed with p_claim, the owner of a run and returns the run, in the first row, and
-- its history. Returns nothing if the run has ended, if the claim is not the newest any more, or if
-- the job of another activation is running: that one looks at everything new before it lets the run
-- wait.
CREATE FUNCTION once_workflow_begin(
  p_tenant text, p_run text, p_job bigint, p_claim bigint, p_timer_at timestamptz)
RETURNS TABLE (run once_workflow_run, entry once_workflow_entry, now timestamptz)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_bitmapscan = off AS $$
DECLARE
  owned once_workflow_run;
BEGIN
  -- The owner may be about to let the run wait: it has looked for what is new, before this job was
  -- there, but has not committed. Or another job may be about to own the run. The lock waits for
  -- them, and the next statement sees which jobs they are of: one that itself waits for the row would
  -- look for them in a snapshot from before.
  PERFORM 1 FROM once_workflow_run r
  WHERE r.tenant = p_tenant AND r.run = p_run AND r.ended_at IS NULL
  FOR NO KEY UPDATE;
  -- A worker that was paused past its lease must not take the run from the later owner of its job.
  UPDATE once_workflow_run r SET
    owner_job = p_job, fence = r.fence + 1, activations = r.activations + 1,
    timer_at = CASE WHEN r.timer_at = p_timer_at THEN NULL ELSE r.timer_at END
  WHERE r.tenant = p_tenant AND r.run = p_run AND r.ended_at IS NULL
    AND EXISTS (
      SELECT 1 FROM once_job j
      WHERE j.id = p_job AND j.fence = p_claim AND j.state || '' = 'running')
    AND (r.owner_job IS NULL OR r.owner_job = p_job OR NOT EXISTS (
      SELECT 1 FROM once_job j WHERE j.id = r.owner_job AND j.state || '' = 'running'))
  RETURNING r.* INTO owned;
  IF NOT FOUND THEN
    -- The job of the timer is used up.
    UPDATE once_workflow_run r SET
      timer_at = CASE WHEN r.timer_at = p_timer_at THEN NULL ELSE r.timer_at END
    WHERE r.tenant = p_tenant AND r.run = p_run AND r.ended_at IS NULL
      AND (r.timer_at = p_timer_at
        OR current_setting('transaction_isolation') <> 'read committed');
    RETURN;
  END IF;
  -- A statement of its own: it sees what an earlier activation wrote while the update waited for it.
  RETURN QUERY SELECT owned, NULL::once_workflow_entry, clock_timestamp();
  RETURN QUERY SELECT NULL::once_workflow_run, e, NULL::timestamptz FROM once_workflow_entry e
    WHERE e.tenant = p_tenant AND e.run = p_run;
END $$;

-- Returns whether the activation with p_fence owns a run, and keeps it from losing it until the end
-- of the transaction: the next activation must not read the history before this one's change is in it.
CREATE FUNCTION once_workflow_hold(
  p_tenant text, p_run text, p_fence bigint, OUT owned boolean, OUT cancelled boolean)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_bitmapscan = off AS $$
BEGIN
  SELECT true, r.cancel_requested INTO owned, cancelled FROM once_workflow_run r
  WHERE r.tenant = p_tenant AND r.run = p_run AND r.fence = p_fence AND r.owner_job IS NOT NULL
  FOR SHARE;
  owned := FOUND;
  IF owned AND current_setting('transaction_isolation') <> 'read committed' THEN
    UPDATE once_workflow_run r SET fence = r.fence WHERE r.tenant = p_tenant AND r.run = p_run;
  END IF;
END $$;

-- Writes an entry of a run's history, and with it the entry of its compensation if p_compensation.
-- Writes nothing if the activation with p_fence does not own the run any more. An entry that has ended
-- does not change: an attempt that failed by its commit may be committed all the same, and a
-- statement that was given up may arrive late.
CREATE FUNCTION once_workflow_record(
  p_tenant text, p_run text, p_fence bigint, p_path text, p_kind text, p_name text, p_input text,
  p_state text, p_attempt integer, p_value bytea, p_failure bytea, p_delay interval,
  p_due_at timestamptz, p_compensation boolean, OUT owned boolean, OUT cancelled boolean)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_bitmapscan = off AS $$
BEGIN
  SELECT h.owned, h.cancelled INTO owned, cancelled
  FROM once_workflow_hold(p_tenant, p_run, p_fence) h;
  IF NOT owned THEN
    RETURN;
  END IF;
  IF p_compensation THEN
    INSERT INTO once_workflow_entry (tenant, run, path, kind, name, state, attempt)
    VALUES (p_tenant, p_run, p_path || '~', 'compensation', p_name, 'registered', 0)
    ON CONFLICT (tenant, run, path) DO NOTHING;
  END IF;
  INSERT INTO once_workflow_entry AS e (
    tenant, run, path, kind, name, input, state, attempt, value, failure, due_at)
  VALUES (
    p_tenant, p_run, p_path, p_kind, p_name, p_input, p_state, p_attempt, p_value, p_failure,
    coalesce(p_due_at, clock_timestamp() + p_delay))
  ON CONFLICT (tenant, run, path) DO UPDATE SET
    state = excluded.state, attempt = excluded.attempt, value = excluded.value,
    failure = excluded.failure, due_at = excluded.due_at, changed_at = clock_timestamp()
  WHERE e.state NOT IN ('done', 'failed', 'expired', 'abandoned');
  -- If the answer of an earlier call was lost, the entry is there, and the child may have ended.
  IF NOT FOUND AND NOT (p_kind = 'child' AND p_state = 'waiting') AND NOT EXISTS (
      SELECT 1 FROM once_workflow_entry e
      WHERE e.tenant = p_tenant AND e.run = p_run AND e.path = p_path AND e.state = p_state) THEN
    RAISE EXCEPTION 'once: % % at % has ended, and cannot be % any more',
      p_kind, p_name, p_path, p_state
      USING ERRCODE = 'check_violation';
  END IF;
  IF p_kind = 'choice' THEN
    -- Only the branch that p_input names goes on.
    UPDATE once_workflow_entry e SET state = 'abandoned', changed_at = clock_timestamp()
    WHERE e.tenant = p_tenant AND e.run = p_run AND e.path LIKE p_path || '/%'
      AND e.path NOT LIKE p_path || '/' || p_input || '/%'
      AND e.state IN ('waiting', 'uncertain');
  END IF;
END $$;

-- Does the same for entries of several runs, which share a statement and a commit: of a step, a
-- timer with a delay, or a compensation. Returns those that it wrote. What it leaves out has to be recorded alone: the
-- run has another owner, the entry has ended, or another transaction has locked the run, for which
-- the other runs must not wait.
CREATE FUNCTION once_workflow_record_all(
  p_tenants text[], p_runs text[], p_fences bigint[], p_paths text[], p_kinds text[],
  p_names text[], p_inputs text[], p_states text[], p_attempts integer[], p_values bytea[],
  p_failures bytea[], p_delays bigint[], p_compensations boolean[])
RETURNS TABLE (place bigint, cancelled boolean)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_bitmapscan = off AS $$
DECLARE
  is_cancelled boolean;
  held boolean[];
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RETURN; -- A share lock would not do: see once_workflow_hold.
  END IF;
  -- One by one: a join with an empty table may be planned with an index that reads a whole tenant.
  FOR i IN 1..cardinality(p_runs) LOOP
    SELECT r.cancel_requested INTO is_cancelled FROM once_workflow_run r
    WHERE r.tenant = p_tenants[i] AND r.run = p_runs[i] AND r.fence = p_fences[i]
      AND r.owner_job IS NOT NULL
    FOR SHARE SKIP LOCKED;
    held[i] := is_cancelled; -- Null if there was no row.
  END LOOP;
  RETURN QUERY
  WITH a AS MATERIALIZED (
    SELECT * FROM unnest(
      held, p_tenants, p_runs, p_paths, p_kinds, p_names, p_inputs, p_states, p_attempts,
      p_values, p_failures, p_delays, p_compensations) WITH ORDINALITY
      AS i (cancelled, tenant, run, path, kind, name, input, state, attempt, value, failure,
        delay, compensation, place)
    WHERE i.cancelled IS NOT NULL),
  compensations AS (
    INSERT INTO once_workflow_entry (tenant, run, path, kind, name, state, attempt)
    SELECT a.tenant, a.run, a.path || '~', 'compensation', a.name, 'registered', 0
    FROM a WHERE a.compensation
    ON CONFLICT (tenant, run, path) DO NOTHING),
  written AS (
    INSERT INTO once_workflow_entry AS e (
      tenant, run, path, kind, name, input, state, attempt, value, failure, due_at)
    SELECT a.tenant, a.run, a.path, a.kind, a.name, a.input, a.state, a.attempt, a.value,
      a.failure, clock_timestamp() + a.delay * interval '1 microsecond'
    FROM a
    ON CONFLICT (tenant, run, path) DO UPDATE SET
      state = excluded.state, attempt = excluded.attempt, value = excluded.value,
      failure = excluded.failure, due_at = excluded.due_at, changed_at = clock_timestamp()
    WHERE e.state NOT IN ('done', 'failed', 'expired', 'abandoned')
    RETURNING e.tenant, e.run, e.path)
  SELECT a.place, a.cancelled FROM a JOIN written w
    ON w.tenant = a.tenant AND w.run = a.run AND w.path = a.path;
END $$;

-- Takes the oldest signal with a name, or writes until when the run waits for one.
CREATE FUNCTION once_workflow_take_signal(
  p_tenant text, p_run text, p_fence bigint, p_path text, p_name text, p_timeout interval,
  OUT owned boolean, OUT cancelled boolean, OUT state text, OUT value bytea)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_bitmapscan = off AS $$
DECLARE
  due timestamptz;
BEGIN
  SELECT h.owned, h.cancelled INTO owned, cancelled
  FROM once_workflow_hold(p_tenant, p_run, p_fence) h;
  IF NOT owned THEN
    RETURN;
  END IF;
  SELECT e.state, e.value, e.due_at INTO state, value, due FROM once_workflow_entry e
  WHERE e.tenant = p_tenant AND e.run = p_run AND e.path = p_path;
  IF NOT FOUND THEN
    due := clock_timestamp() + p_timeout;
  ELSIF state <> 'waiting' THEN
    RETURN; -- The answer of an earlier call was lost.
  END IF;
  UPDATE once_workflow_signal s SET taken_by = p_path
  WHERE s.tenant = p_tenant AND s.run = p_run AND s.name = p_name AND s.id = (
    SELECT w.id FROM once_workflow_signal w
    WHERE w.tenant = p_tenant AND w.run = p_run AND w.name = p_name AND w.taken_by IS NULL
    ORDER BY w.number LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING s.value INTO value;
  IF FOUND THEN
    state := 'done';
  ELSE
    state := CASE WHEN due <= clock_timestamp() THEN 'expired' ELSE 'waiting' END;
  END IF;
  INSERT INTO once_workflow_entry AS e (tenant, run, path, kind, name, state, attempt, value, due_at)
  VALUES (p_tenant, p_run, p_path, 'signal', p_name, once_workflow_take_signal.state, 0,
    once_workflow_take_signal.value, due)
  ON CONFLICT (tenant, run, path) DO UPDATE SET
    state = excluded.state, value = excluded.value, changed_at = clock_timestamp();
END $$;

-- Lets a run wait, unless there is something that its activation has not seen: a signal, the end of a
-- child, a time that has passed, a request to cancel. A run that compensates waits for its
-- compensations alone. p_waiting: how many entries the activation knows that wait. wake_at: when a
-- job has to continue it, if there is none yet.
CREATE FUNCTION once_workflow_suspend(
  p_tenant text, p_run text, p_fence bigint, p_waiting integer,
  OUT owned boolean, OUT suspended boolean, OUT wake_at timestamptz)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_bitmapscan = off AS $$
DECLARE
  now timestamptz;
  held once_workflow_run;
  waiting integer;
  due timestamptz;
BEGIN
  SELECT r.* INTO held FROM once_workflow_run r
  WHERE r.tenant = p_tenant AND r.run = p_run AND r.fence = p_fence AND r.owner_job IS NOT NULL
  FOR NO KEY UPDATE;
  owned := FOUND;
  suspended := false;
  IF NOT owned THEN
    RETURN;
  END IF;
  now := clock_timestamp();
  SELECT count(*), min(e.due_at) INTO waiting, due FROM once_workflow_entry e
  WHERE e.tenant = p_tenant AND e.run = p_run AND e.state IN ('waiting', 'uncertain')
    AND (held.state = 'running' OR e.kind = 'compensation');
  IF waiting <> p_waiting OR due <= now OR (held.cancel_requested AND held.state = 'running')
    OR (held.state = 'running' AND EXISTS (
      SELECT 1 FROM once_workflow_signal s
      WHERE s.tenant = p_tenant AND s.run = p_run AND s.taken_by IS NULL AND EXISTS (
        SELECT 1 FROM once_workflow_entry e
        WHERE e.tenant = p_tenant AND e.run = p_run AND e.kind = 'signal' AND e.state = 'waiting'
          AND e.name = s.name))) THEN
    RETURN;
  END IF;
  suspended := true;
  IF due IS NOT NULL
    AND (held.timer_at IS NULL OR held.timer_at <= now OR held.timer_at > due) THEN
    wake_at := due;
  END IF;
  UPDATE once_workflow_run r SET owner_job = NULL, timer_at = coalesce(wake_at, r.timer_at)
  WHERE r.tenant = p_tenant AND r.run = p_run;
END $$;

-- Ends a run, and the entry of its parent that waits for it. Returns which run that is.
CREATE FUNCTION once_workflow_end(
  p_tenant text, p_run text, p_fence bigint, p_state text, p_value bytea, p_failure bytea,
  OUT owned boolean, OUT parent_run text, OUT parent_workflow text, OUT parent_version integer)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_bitmapscan = off AS $$
DECLARE
  ended once_workflow_run;
BEGIN
  UPDATE once_workflow_run r SET
    state = p_state, value = p_value, failure = coalesce(p_failure, r.failure), owner_job = NULL,
    ended_at = clock_timestamp()
  WHERE r.tenant = p_tenant AND r.run = p_run AND r.fence = p_fence AND r.owner_job IS NOT NULL
  RETURNING r.* INTO ended;
  owned := FOUND;
  IF NOT owned OR ended.parent_run IS NULL THEN
    RETURN;
  END IF;
  UPDATE once_workflow_entry e SET
    state = CASE WHEN p_state = 'completed' THEN 'done' ELSE 'failed' END,
    value = p_value, failure = ended.failure, changed_at = clock_timestamp()
  WHERE e.tenant = p_tenant AND e.run = ended.parent_run AND e.path = ended.parent_path
    AND e.state = 'waiting';
  SELECT r.run, r.workflow, r.version INTO parent_run, parent_workflow, parent_version
  FROM once_workflow_run r WHERE r.tenant = p_tenant AND r.run = ended.parent_run;
END $$;

-- Ends several runs that have no parent, with their values, and returns those that it ended. What it
-- leaves out has to be ended alone, as above.
CREATE FUNCTION once_workflow_complete_all(
  p_tenants text[], p_runs text[], p_fences bigint[], p_values bytea[])
RETURNS SETOF integer
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_bitmapscan = off AS $$
BEGIN
  FOR i IN 1..cardinality(p_runs) LOOP
    PERFORM 1 FROM once_workflow_run r
    WHERE r.tenant = p_tenants[i] AND r.run = p_runs[i] AND r.fence = p_fences[i]
      AND r.owner_job IS NOT NULL AND r.parent_run IS NULL
    FOR NO KEY UPDATE SKIP LOCKED;
    IF FOUND THEN
      UPDATE once_workflow_run r SET
        state = 'completed', value = p_values[i], owner_job = NULL, ended_at = clock_timestamp()
      WHERE r.tenant = p_tenants[i] AND r.run = p_runs[i] AND r.fence = p_fences[i];
      RETURN NEXT i;
    END IF;
  END LOOP;
END $$;

-- Accepts a signal for a run. result: accepted, known (the run has this id of this name), ended,
-- missing (there is no such run), or full.
CREATE FUNCTION once_workflow_signal(
  p_tenant text, p_run text, p_name text, p_id text, p_value bytea, p_max integer,
  OUT result text, OUT number bigint, OUT workflow text, OUT version integer)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_bitmapscan = off AS $$
DECLARE
  ended timestamptz;
BEGIN
  SELECT r.workflow, r.version, r.ended_at INTO workflow, version, ended FROM once_workflow_run r
  WHERE r.tenant = p_tenant AND r.run = p_run;
  IF NOT FOUND THEN
    result := 'missing';
    RETURN;
  END IF;
  IF EXISTS (
    SELECT 1 FROM once_workflow_signal s
    WHERE s.tenant = p_tenant AND s.run = p_run AND s.name = p_name AND s.id = p_id) THEN
    result := 'known';
  ELSIF ended IS NOT NULL THEN
    result := 'ended';
  ELSIF p_max <= (SELECT count(*) FROM (
      SELECT 1 FROM once_workflow_signal s
      WHERE s.tenant = p_tenant AND s.run = p_run AND s.taken_by IS NULL LIMIT p_max) w) THEN
    result := 'full';
  ELSE
    INSERT INTO once_workflow_signal AS s (tenant, run, name, id, value)
    VALUES (p_tenant, p_run, p_name, p_id, p_value)
    ON CONFLICT (tenant, run, name, id) DO NOTHING
    RETURNING s.number INTO number;
    result := CASE WHEN FOUND THEN 'accepted' ELSE 'known' END;
  END IF;
END $$;

-- Prepares a run to be continued: one that is open, and one that failed and had nothing to
-- compensate, whose last failures are forgotten. Returns nothing in workflow if there is no such run.
CREATE FUNCTION once_workflow_resume(
  p_tenant text, p_run text, OUT workflow text, OUT version integer, OUT fence bigint)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_bitmapscan = off AS $$
DECLARE
  held once_workflow_run;
BEGIN
  SELECT r.* INTO held FROM once_workflow_run r
  WHERE r.tenant = p_tenant AND r.run = p_run FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF held.ended_at IS NOT NULL THEN
    IF held.state <> 'failed' OR EXISTS (
      SELECT 1 FROM once_workflow_entry e
      WHERE e.tenant = p_tenant AND e.run = p_run AND e.kind = 'compensation') THEN
      RETURN;
    END IF;
    -- A failure after which the code went on was caught: without it the code would go another way
    -- than the rest of its history. In 3/1/2 the calls are at the places 3 and, in branch 3/1, 2.
    WITH place AS MATERIALIZED (
      SELECT e.path, a.part[1:i - 1] AS branch, a.part[i] AS number
      FROM once_workflow_entry e
      CROSS JOIN LATERAL (SELECT string_to_array(e.path, '/')::integer[] AS part) a
      CROSS JOIN LATERAL generate_series(1, cardinality(a.part), 2) i
      WHERE e.tenant = p_tenant AND e.run = p_run),
    latest AS (SELECT p.branch, max(p.number) AS number FROM place p GROUP BY p.branch)
    DELETE FROM once_workflow_entry e
    WHERE e.tenant = p_tenant AND e.run = p_run AND e.state = 'failed' AND e.path NOT IN (
      SELECT p.path FROM place p JOIN latest l USING (branch) WHERE p.number < l.number);
  END IF;
  UPDATE once_workflow_run r SET
    state = CASE WHEN r.state = 'failed' THEN 'running' ELSE r.state END,
    failure = CASE WHEN r.state = 'failed' THEN NULL ELSE r.failure END,
    -- The job of the timer may have been removed.
    ended_at = NULL, timer_at = NULL, owner_job = NULL, fence = r.fence + 1
  WHERE r.tenant = p_tenant AND r.run = p_run
    -- An activation that runs goes on.
    AND NOT EXISTS (
      SELECT 1 FROM once_job j WHERE j.id = r.owner_job AND j.state || '' = 'running');
  SELECT r.workflow, r.version, r.fence INTO workflow, version, fence FROM once_workflow_run r
  WHERE r.tenant = p_tenant AND r.run = p_run;
END $$;

-- Removes up to p_limit runs that ended longer than p_retention ago, with their histories and signals.
CREATE FUNCTION once_workflow_purge(p_retention interval, p_limit integer) RETURNS integer
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  -- A constant can be an index condition; the volatile function is evaluated for every row.
  horizon CONSTANT timestamptz := clock_timestamp() - p_retention;
  removed integer;
BEGIN
  WITH old AS MATERIALIZED (
    SELECT r.tenant, r.run FROM once_workflow_run r
    WHERE r.ended_at < horizon
    ORDER BY r.ended_at LIMIT p_limit FOR UPDATE SKIP LOCKED),
  entries AS (
    DELETE FROM once_workflow_entry e USING old o WHERE e.tenant = o.tenant AND e.run = o.run),
  signals AS (
    DELETE FROM once_workflow_signal s USING old o WHERE s.tenant = o.tenant AND s.run = o.run),
  gone AS (
    DELETE FROM once_workflow_run r USING old o WHERE r.tenant = o.tenant AND r.run = o.run
    RETURNING 1)
  SELECT count(*) INTO removed FROM gone;
  RETURN removed;
END $$;
