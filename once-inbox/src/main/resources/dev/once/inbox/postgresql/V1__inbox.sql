-- The versions of this schema that the database has. Every script adds its own. The tables of
-- records (once-jdbc) and of jobs (once-jobs) must exist before.
CREATE TABLE once_inbox_schema (
  version      integer PRIMARY KEY,
  applied_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);
INSERT INTO once_inbox_schema (version) VALUES (1);

-- The state that each object has reached, for providers that report out of order. Accepted items
-- are not recorded here but in once_record, in the scope webhook:{provider}.
CREATE TABLE once_inbox_order (
  tenant       text COLLATE "C" NOT NULL,
  provider     text COLLATE "C" NOT NULL,
  object       text COLLATE "C" NOT NULL,
  height       integer NOT NULL,
  expires_at   timestamptz NOT NULL,
  PRIMARY KEY (tenant, provider, object)
);
CREATE INDEX once_inbox_order_expiry ON once_inbox_order (expires_at);

-- Accepts items: records them, and enqueues those that are new and have a payload, in one
-- transaction. Their keys must differ, and every caller must pass keys in the same order.
--
-- accepted is true for a new item. For any other item, fingerprints has the fingerprint of the
-- recorded item. Both are null for an item that was purged just now or that only a newer release
-- can read.
CREATE FUNCTION once_inbox_accept(
  p_tenants text[], p_scopes text[], p_keys text[], p_fingerprints text[],
  p_retentions bigint[], p_correlations text[], p_kept_forms text[], p_kept_bytes bigint[],
  p_kept bytea[], p_queues text[], p_types text[], p_job_keys text[], p_payloads bytea[],
  p_sealed_by text[],
  OUT accepted boolean[], OUT fingerprints text[])
LANGUAGE plpgsql
-- Without this, everything below is planned anew in every call, because the planner sees the
-- lengths of the arrays and finds them shorter than its default estimate. Planning takes four times
-- as long as the work itself.
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  SELECT r.remembered, r.fingerprints INTO accepted, fingerprints
  FROM once_remember(p_tenants, p_scopes, p_keys, p_fingerprints, p_retentions,
                     p_correlations, p_kept_forms, p_kept_bytes, p_kept) AS r;
  IF true = ANY (accepted) THEN
    PERFORM once_job_add(accepted, p_tenants, p_queues, p_types, p_job_keys,
                         p_fingerprints, p_correlations, p_payloads, p_sealed_by);
  END IF;
END $$;

-- The same for one item, which takes half as long in this form: most deliveries have one. Anything
-- but a new key or a known item, such as a record that has expired, is left to the other form.
CREATE FUNCTION once_inbox_accept_one(
  p_tenant text, p_scope text, p_key text, p_fingerprint text, p_retention bigint,
  p_correlation text, p_kept_form text, p_kept_bytes bigint, p_kept bytea,
  p_queue text, p_type text, p_job_key text, p_payload bytea, p_sealed_by text,
  OUT accepted boolean, OUT fingerprint text)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  known_format CONSTANT smallint := 1;
  now CONSTANT timestamptz := clock_timestamp();
BEGIN
  SELECT r.fingerprint INTO fingerprint FROM once_record r
  WHERE r.tenant = p_tenant AND r.scope = p_scope AND r.key = p_key AND r.expires_at > now
    AND r.state <> 'open' AND r.format <= known_format;
  IF FOUND THEN
    accepted := false;
    RETURN;
  END IF;

  INSERT INTO once_record (
    tenant, scope, key, format, state, recovery, fingerprint, fence, attempts, created_at,
    lease_until, expires_at, correlation, status, headers, body_form, body_bytes, body)
  VALUES (
    p_tenant, p_scope, p_key, known_format, 'completed', 'rerun', p_fingerprint,
    extract(epoch FROM now) * 1000000, 1, now, now, now + p_retention * interval '1 microsecond',
    p_correlation, 0, '', p_kept_form, p_kept_bytes, p_kept)
  ON CONFLICT (tenant, scope, key) DO NOTHING;
  IF FOUND THEN
    accepted := true;
    IF p_payload IS NOT NULL THEN
      INSERT INTO once_job (
        tenant, queue, type, key, fingerprint, state, priority, checked, run_at, enqueued_at,
        correlation, payload, sealed_by)
      VALUES (
        p_tenant, p_queue, p_type, p_job_key, p_fingerprint, 'ready', 0, true, now, now,
        p_correlation, p_payload, p_sealed_by)
      ON CONFLICT (tenant, queue, key) DO NOTHING;
    END IF;
    RETURN;
  END IF;

  SELECT a.accepted[1], a.fingerprints[1] INTO accepted, fingerprint
  FROM once_inbox_accept(
    ARRAY[p_tenant], ARRAY[p_scope], ARRAY[p_key], ARRAY[p_fingerprint], ARRAY[p_retention],
    ARRAY[p_correlation], ARRAY[p_kept_form], ARRAY[p_kept_bytes], ARRAY[p_kept],
    ARRAY[p_queue], ARRAY[p_type], ARRAY[p_job_key], ARRAY[p_payload], ARRAY[p_sealed_by]) a;
END $$;
