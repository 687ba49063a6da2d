INSERT INTO ${schema}.schema_version (version) VALUES (2);

-- Increases with every claim, also over rows that were purged, so that a later claim of an event
-- has a higher fence than every earlier one.
CREATE SEQUENCE ${schema}.processed_event_fence;

-- What each handler did with each event. Text is compared byte by byte (collation "C").
--
--   absent --claim--> processing --> done
--                       ^   |  \--last attempt, or given up--> skipped | dead --redrive--> failed
--                       |   \--failed--> failed --next_attempt_at, claim--> processing
--                       \--lease_until passed, claim--/
--
-- Every time is the database's. Most rows are updated once, from processing to done, and that
-- changes no indexed column: such updates (HOT) leave the indexes as they are.
CREATE TABLE ${schema}.processed_event (
  handler          text COLLATE "C" NOT NULL,
  event_id         text COLLATE "C" NOT NULL,
  aggregate        text COLLATE "C" NOT NULL,
  sequence         bigint NOT NULL,
  state            text COLLATE "C" NOT NULL,
  -- For people. The token and the fence identify a claim.
  owner            text NOT NULL,
  -- Chosen by the caller of the claim: the same token gets the same grant again.
  token            bigint NOT NULL,
  -- Every change by a consumer names the fence of its claim.
  fence            bigint NOT NULL,
  lease_until      timestamptz NOT NULL,
  heartbeat_at     timestamptz NOT NULL,
  -- The number of claims, without those that were released.
  attempts         integer NOT NULL,
  -- An operator wants it handled although its sequence is not higher than the last one.
  redriven         boolean NOT NULL DEFAULT false,
  error            text,
  next_attempt_at  timestamptz,
  started_at       timestamptz NOT NULL,
  finished_at      timestamptz,
  -- When it was skipped or became dead.
  died_at          timestamptz,
  -- Each index starts with another column, so that for every statement there is one that fits,
  -- whatever the planner knows about the table.
  PRIMARY KEY (event_id, handler)
) WITH (
  fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1,
  autovacuum_analyze_scale_factor = 0.2);

-- For claims: the events of an aggregate after its last sequence.
CREATE INDEX processed_event_aggregate ON ${schema}.processed_event (aggregate, handler, sequence);
-- For the purge.
CREATE INDEX processed_event_started ON ${schema}.processed_event (started_at);
-- For operators.
CREATE INDEX processed_event_died ON ${schema}.processed_event (handler, died_at)
  WHERE died_at IS NOT NULL;

-- Claims events of a handler, several in one call, and answers for each by its place in the arrays:
--
--   claimed            with fence and attempt, and the error of the attempt before
--   done, skipped, dead  it is finished
--   stale              the handler is at its sequence or further
--   busy               another claim has it; wait_micros says how long its lease lasts
--   later              its last attempt failed; wait_micros says when the next one is due
--   blocked            another claim has an event of its aggregate, or an earlier one failed
--   gap                only if p_every: the event before it has not been handled, and
--                      p_may_skip is false for it
--
-- An aggregate has one claim at a time, of one or several events. An earlier event blocks later ones
-- until it is finished, and for a lease at most after its own lease has ended or its retry is due:
-- its consumer may have crashed, and it is delivered again. Not forever, because an operator may
-- have moved the consumer's offset past it. If it comes after all, it is stale.
--
-- A claim takes all events of the aggregate from a claim whose lease has ended, also those that it
-- does not ask for: their fences rise, so that the earlier owner can neither settle nor renew them.
-- Otherwise two owners could handle events of one aggregate at the same time.
--
-- Claims, settlements and renewals of an aggregate exclude each other at the row of its version.
-- Claims and settlements lock these rows first, in the order of their keys, so that two calls cannot
-- wait for each other; renewals leave out what is locked. The
-- statements that follow have snapshots of their own, from after the wait; that is why the level
-- has to be READ COMMITTED.
--
-- The plans must not depend on what the tables contained when a session planned first. So rows are
-- found by lateral subqueries and single statements, which leave the planner no order to choose.
CREATE FUNCTION ${schema}.claim_events(
  p_handler text, p_owner text, p_lease interval, p_every boolean, p_ids text[],
  p_aggregates text[], p_sequences bigint[], p_tokens bigint[], p_may_skip boolean[])
RETURNS TABLE (
  place integer, answer text, fence bigint, attempt integer, error text, wait_micros bigint)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
  at timestamptz;
  d record;
  finished text[];
  taken_over text[] := '{}';
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'events can be claimed at READ COMMITTED only, this transaction is %',
      upper(current_setting('transaction_isolation'));
  END IF;

  -- Events that come again, after a restart for example: if all are finished, nothing is locked, so
  -- that nothing has to be flushed. The first one is a cheap sign.
  PERFORM FROM ${schema}.processed_event e
  WHERE e.event_id = p_ids[1] AND e.handler = p_handler AND e.state IN ('done', 'skipped', 'dead');
  IF FOUND THEN
    SELECT array_agg(e.state ORDER BY g.place) INTO finished
    FROM unnest(p_ids) WITH ORDINALITY AS g (id, place)
    CROSS JOIN LATERAL (
      SELECT e.state FROM ${schema}.processed_event e
      WHERE e.event_id = g.id AND e.handler = p_handler AND e.state IN ('done', 'skipped', 'dead')
      LIMIT 1) e;
    IF cardinality(finished) = cardinality(p_ids) THEN
      RETURN QUERY
      SELECT g.place::integer, g.state, NULL::bigint, NULL::integer, NULL::text, NULL::bigint
      FROM unnest(finished) WITH ORDINALITY AS g (state, place);
      RETURN;
    END IF;
  END IF;

  INSERT INTO ${schema}.aggregate_version (handler, aggregate, last_sequence)
  SELECT p_handler, a.aggregate, 0 FROM unnest(p_aggregates) AS a (aggregate)
  CROSS JOIN LATERAL (
    SELECT count(*) AS rows FROM ${schema}.aggregate_version v
    WHERE v.handler = p_handler AND v.aggregate = a.aggregate) v
  WHERE v.rows = 0
  GROUP BY a.aggregate
  ORDER BY a.aggregate COLLATE "C"
  ON CONFLICT (handler, aggregate) DO NOTHING;
  PERFORM 1 FROM ${schema}.aggregate_version v
  WHERE v.handler = p_handler AND v.aggregate = ANY (p_aggregates)
  ORDER BY v.aggregate
  FOR NO KEY UPDATE;
  at := clock_timestamp();

  FOR d IN
    WITH given AS MATERIALIZED (
      SELECT
        g.place, g.id, g.aggregate, g.sequence, g.token, g.may_skip, v.last_sequence,
        e.state, e.fence, e.lease_until, e.next_attempt_at,
        CASE
          WHEN e.state IS NULL AND g.sequence <= v.last_sequence THEN 'stale'
          WHEN e.state IS NULL THEN 'new'
          WHEN e.state IN ('done', 'skipped', 'dead') THEN e.state
          WHEN e.state = 'processing' AND e.lease_until > at AND e.token <> g.token THEN 'busy'
          WHEN e.state = 'failed' AND e.next_attempt_at > at THEN 'later'
          WHEN NOT e.redriven AND g.sequence <= v.last_sequence THEN 'overtaken'
          WHEN e.state = 'processing' AND e.lease_until > at THEN 'again'
          ELSE 'free'
        END AS answer
      FROM unnest(p_ids, p_aggregates, p_sequences, p_tokens, p_may_skip) WITH ORDINALITY
        AS g (id, aggregate, sequence, token, may_skip, place)
      CROSS JOIN LATERAL (
        SELECT v.last_sequence FROM ${schema}.aggregate_version v
        WHERE v.handler = p_handler AND v.aggregate = g.aggregate
        LIMIT 1) v
      LEFT JOIN LATERAL (
        SELECT e.state, e.token, e.fence, e.lease_until, e.next_attempt_at, e.redriven
        FROM ${schema}.processed_event e
        WHERE e.event_id = g.id AND e.handler = p_handler
        LIMIT 1) e ON true),
    aggregates AS MATERIALIZED (
      SELECT a.aggregate, o.sequence AS obstacle, o.lapsed
      FROM (SELECT DISTINCT g.aggregate, g.last_sequence FROM given g) a
      CROSS JOIN LATERAL (
        SELECT
          -- A claim that is live blocks the whole aggregate.
          min(CASE WHEN r.state = 'processing' AND r.lease_until > at THEN 0 ELSE r.sequence END)
            FILTER (WHERE (CASE r.state
              WHEN 'processing' THEN r.lease_until
              WHEN 'failed' THEN r.next_attempt_at END) + p_lease > at) AS sequence,
          count(*) FILTER (WHERE r.state = 'processing' AND r.lease_until <= at) AS lapsed
        FROM ${schema}.processed_event r
        WHERE r.aggregate = a.aggregate AND r.handler = p_handler
          AND r.sequence > a.last_sequence
          AND r.event_id NOT IN (
            SELECT g.id FROM given g WHERE g.answer IN ('free', 'again'))) o),
    ordered AS MATERIALIZED (
      SELECT
        g.*, a.lapsed,
        coalesce(g.answer IN ('new', 'free') AND g.sequence > a.obstacle, false) AS is_blocked,
        greatest(g.last_sequence, lag(g.sequence) OVER (
          PARTITION BY g.aggregate, g.answer IN ('new', 'free', 'again') ORDER BY g.sequence))
          AS before
      FROM given g LEFT JOIN aggregates a ON a.aggregate = g.aggregate),
    decided AS MATERIALIZED (
      SELECT
        o.*,
        CASE
          WHEN o.is_blocked THEN 'blocked'
          WHEN p_every AND o.answer IN ('new', 'free') AND bool_or(
              o.answer IN ('new', 'free') AND NOT o.may_skip AND o.sequence > o.before + 1)
            OVER (PARTITION BY o.aggregate ORDER BY o.sequence) THEN 'gap'
          ELSE o.answer
        END AS decision
      FROM ordered o)
    SELECT
      o.place::integer AS place, o.id, o.aggregate, o.sequence, o.token, o.state, o.fence,
      o.last_sequence, o.lapsed, o.decision AS answer,
      -- Whether another event of its aggregate is granted, and not this one.
      o.answer = 'free' AND o.decision <> 'free' AND bool_or(o.decision IN ('new', 'free'))
        OVER (PARTITION BY o.aggregate) AS is_passed,
      CASE o.answer WHEN 'busy' THEN o.lease_until WHEN 'later' THEN o.next_attempt_at END AS until
    FROM decided o
  LOOP
    place := d.place;
    answer := d.answer;
    fence := NULL;
    attempt := NULL;
    error := NULL;
    wait_micros := (extract(epoch FROM d.until - at) * 1000000)::bigint;

    IF d.answer IN ('new', 'free') AND d.lapsed > 0 AND d.aggregate <> ALL (taken_over) THEN
      taken_over := taken_over || d.aggregate;
      UPDATE ${schema}.processed_event e
      SET fence = nextval('${schema}.processed_event_fence')
      WHERE e.aggregate = d.aggregate AND e.handler = p_handler AND e.sequence > d.last_sequence
        AND e.state = 'processing' AND e.lease_until <= at AND e.event_id <> ALL (p_ids);
    ELSIF d.is_passed AND d.state = 'processing' THEN
      UPDATE ${schema}.processed_event e
      SET fence = nextval('${schema}.processed_event_fence')
      WHERE e.event_id = d.id AND e.handler = p_handler;
    END IF;

    IF d.answer = 'new' THEN
      INSERT INTO ${schema}.processed_event AS e (
        handler, event_id, aggregate, sequence, state, owner, token, fence, lease_until,
        heartbeat_at, attempts, started_at)
      VALUES (
        p_handler, d.id, d.aggregate, d.sequence, 'processing', p_owner, d.token,
        nextval('${schema}.processed_event_fence'), at + p_lease, at, 1, at)
      ON CONFLICT (event_id, handler) DO NOTHING
      RETURNING e.fence, e.attempts INTO fence, attempt;
    ELSIF d.answer IN ('free', 'again', 'overtaken') THEN
      UPDATE ${schema}.processed_event e SET
        state = CASE WHEN d.answer = 'overtaken' THEN 'skipped' ELSE 'processing' END,
        owner = p_owner,
        token = d.token,
        fence = CASE WHEN d.answer = 'free'
          THEN nextval('${schema}.processed_event_fence') ELSE e.fence END,
        lease_until = at + p_lease,
        heartbeat_at = at,
        -- A claim that is sent again has not been tried, even if its lease has ended.
        attempts = e.attempts
          + CASE WHEN d.answer = 'free' AND e.token <> d.token THEN 1 ELSE 0 END,
        -- Without an error, the attempt before ended with its lease.
        error = CASE
          WHEN d.answer = 'overtaken' THEN 'a later event of its aggregate was handled first'
          WHEN d.answer = 'free' AND e.state = 'processing' THEN NULL
          ELSE e.error END,
        next_attempt_at = NULL,
        finished_at = CASE WHEN d.answer = 'overtaken' THEN at END,
        died_at = CASE WHEN d.answer = 'overtaken' THEN at END
      WHERE e.event_id = d.id AND e.handler = p_handler
        -- An operator may have redriven it meanwhile.
        AND e.fence = d.fence AND e.state = d.state
        AND (e.lease_until <= at OR e.state = 'failed' OR e.token = d.token)
      RETURNING e.fence, e.attempts, e.error INTO fence, attempt, error;
    END IF;

    IF d.answer = 'overtaken' THEN
      answer := 'stale';
    ELSIF d.answer IN ('new', 'free', 'again') THEN
      answer := CASE WHEN fence IS NULL THEN 'busy' ELSE 'claimed' END;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;

-- Settles claimed events of a handler, several in one call: done, skipped, dead, failed, or
-- released, which is failed without having counted as an attempt. Finished events advance the last
-- sequence of their aggregates. Answers with the state of each event whose newest claim has the
-- given fence; is_new says whether this call made the change: otherwise an earlier one did, and its
-- answer was lost. For other events there is no answer, and nothing changes. A claim whose lease has
-- ended may settle its events as long as there was no later claim in their aggregate.
CREATE FUNCTION ${schema}.settle_events(
  p_handler text, p_ids text[], p_aggregates text[], p_fences bigint[], p_states text[],
  p_delays bigint[], p_errors text[])
RETURNS TABLE (place integer, state text, is_new boolean)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
  at timestamptz;
  g record;
  changed_sequence bigint;
  finished_aggregates text[] := '{}';
  finished_sequences bigint[] := '{}';
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'events can be settled at READ COMMITTED only, this transaction is %',
      upper(current_setting('transaction_isolation'));
  END IF;
  PERFORM 1 FROM ${schema}.aggregate_version v
  WHERE v.handler = p_handler AND v.aggregate = ANY (p_aggregates)
  ORDER BY v.aggregate
  FOR NO KEY UPDATE;
  at := clock_timestamp();

  FOR g IN
    SELECT * FROM unnest(p_ids, p_aggregates, p_fences, p_states, p_delays, p_errors)
      WITH ORDINALITY AS g (id, aggregate, fence, state, delay, error, place)
  LOOP
    place := g.place;
    state := NULL;
    UPDATE ${schema}.processed_event e SET
      state = CASE WHEN g.state = 'released' THEN 'failed' ELSE g.state END,
      attempts = e.attempts - CASE WHEN g.state = 'released' THEN 1 ELSE 0 END,
      error = CASE WHEN g.state = 'released' THEN e.error ELSE g.error END,
      next_attempt_at = CASE WHEN g.state IN ('failed', 'released')
        THEN at + g.delay * interval '1 microsecond' END,
      finished_at = CASE WHEN g.state NOT IN ('failed', 'released') THEN at END,
      died_at = CASE WHEN g.state IN ('skipped', 'dead') THEN at END
    WHERE e.event_id = g.id AND e.handler = p_handler AND e.fence = g.fence
      AND e.state = 'processing'
    RETURNING e.state, e.sequence INTO state, changed_sequence;
    is_new := FOUND;

    IF is_new AND state <> 'failed' THEN
      finished_aggregates := finished_aggregates || g.aggregate;
      finished_sequences := finished_sequences || changed_sequence;
    ELSIF NOT is_new THEN
      SELECT e.state INTO state FROM ${schema}.processed_event e
      WHERE e.event_id = g.id AND e.handler = p_handler AND e.fence = g.fence
        AND e.state <> 'processing';
    END IF;
    IF state IS NOT NULL THEN
      RETURN NEXT;
    END IF;
  END LOOP;

  FOR g IN
    SELECT f.aggregate, max(f.sequence) AS sequence
    FROM unnest(finished_aggregates, finished_sequences) AS f (aggregate, sequence)
    GROUP BY f.aggregate
  LOOP
    UPDATE ${schema}.aggregate_version v SET last_sequence = g.sequence
    WHERE v.handler = p_handler AND v.aggregate = g.aggregate AND v.last_sequence < g.sequence;
  END LOOP;
END $$;

-- Renews the leases of claimed events of a handler. Answers for each event that the given claim
-- holds; is_renewed is false if another transaction has locked its aggregate, such as an effect's own
-- transaction that is about to commit: its lease is neither renewed nor lost. A lease that has ended
-- is renewed too, if there was no later claim in its aggregate.
CREATE FUNCTION ${schema}.renew_events(
  p_handler text, p_lease interval, p_ids text[], p_aggregates text[], p_fences bigint[])
RETURNS TABLE (place integer, is_renewed boolean)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
  g record;
BEGIN
  FOR g IN
    SELECT * FROM unnest(p_ids, p_aggregates, p_fences) WITH ORDINALITY
      AS g (id, aggregate, fence, place)
  LOOP
    place := g.place;
    PERFORM 1 FROM ${schema}.aggregate_version v
    WHERE v.handler = p_handler AND v.aggregate = g.aggregate
    FOR SHARE SKIP LOCKED;
    is_renewed := FOUND;
    IF is_renewed THEN
      UPDATE ${schema}.processed_event e SET
        heartbeat_at = clock_timestamp(), lease_until = clock_timestamp() + p_lease
      WHERE e.event_id = g.id AND e.handler = p_handler AND e.fence = g.fence
        AND e.state = 'processing';
    ELSE
      PERFORM 1 FROM ${schema}.processed_event e
      WHERE e.event_id = g.id AND e.handler = p_handler AND e.fence = g.fence
        AND e.state = 'processing';
    END IF;
    IF FOUND THEN
      RETURN NEXT;
    END IF;
  END LOOP;
END $$;
