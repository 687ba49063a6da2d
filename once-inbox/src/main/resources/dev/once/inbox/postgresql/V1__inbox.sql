-- Which versions of this schema the database has. Every script adds its own. The tables of records
-- (once-jdbc) and of jobs (once-jobs) have to be there before.
CREATE TABLE once_inbox_schema (
  version      integer PRIMARY KEY,
  applied_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);
INSERT INTO once_inbox_schema (version) VALUES (1);

-- How far each object came that providers report about out of order. This is no record of what was
-- taken in: that is in once_record, in the scope webhook:{provider}.
CREATE TABLE once_inbox_order (
  tenant       text COLLATE "C" NOT NULL,
  provider     text COLLATE "C" NOT NULL,
  object       text COLLATE "C" NOT NULL,
  height       integer NOT NULL,
  expires_at   timestamptz NOT NULL,
  PRIMARY KEY (tenant, provider, object)
);
CREATE INDEX once_inbox_order_expiry ON once_inbox_order (expires_at);

-- Takes items in: remembers them and enqueues those that are new and have a payload, in one
-- transaction. Their keys have to differ, and to come in the same order from everybody.
--
-- accepted says of each item whether it is new; if not, fingerprints has that of the one that was
-- here before. Both are null of an item that was forgotten just now.
CREATE FUNCTION once_inbox_accept(
  ask_tenants text[], ask_scopes text[], ask_keys text[], ask_fingerprints text[],
  ask_retentions bigint[], ask_correlations text[], ask_kept bytea[], ask_queues text[],
  ask_types text[], ask_job_keys text[], ask_payloads bytea[],
  OUT accepted boolean[], OUT fingerprints text[])
LANGUAGE plpgsql
-- Otherwise everything below is planned anew in every call, because the planner sees the arrays'
-- lengths and finds them shorter than usual. That takes four times as long as the work itself.
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  SELECT r.remembered, r.fingerprints INTO accepted, fingerprints
  FROM once_remember(ask_tenants, ask_scopes, ask_keys, ask_fingerprints, ask_retentions,
                     ask_correlations, ask_kept) AS r;
  IF true = ANY (accepted) THEN
    PERFORM once_job_add(accepted, ask_tenants, ask_queues, ask_types, ask_job_keys,
                         ask_fingerprints, ask_correlations, ask_payloads);
  END IF;
END $$;
