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
