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

-- Takes in one item: remembers it and enqueues it, in one transaction. accepted is true if it is
-- new; false if it was here before, and then matches says whether it was the same; null when
-- somebody else takes it in just now. One that is not the same is remembered as a conflict.
CREATE FUNCTION once_inbox_accept(
  ask_tenant text, ask_provider text, ask_key text, ask_fingerprint text, ask_retention interval,
  ask_correlation text, ask_form text, ask_bytes bigint, ask_kept bytea, ask_type text,
  ask_resource text, ask_payload bytea,
  OUT accepted boolean, OUT matches boolean)
LANGUAGE plpgsql AS $$
BEGIN
  SELECT r.granted, r.matches INTO accepted, matches
  FROM once_remember(ask_tenant, 'webhook:' || ask_provider, ask_key, ask_fingerprint,
                     ask_retention, ask_correlation, ask_form, ask_bytes, ask_kept) AS r;
  IF accepted AND ask_payload IS NULL THEN
    RETURN; -- Too large for a job: that it came is remembered, and no more.
  ELSIF accepted THEN
    PERFORM once_job_enqueue(
      ask_tenant, 'webhook.' || ask_provider, ask_type, ask_type || ':' || ask_resource,
      ask_fingerprint, 0::smallint, NULL, interval '0', NULL, ask_correlation, ask_payload);
  ELSIF NOT matches THEN
    PERFORM once_remember(ask_tenant, 'webhook_conflict:' || ask_provider, ask_resource,
                          ask_fingerprint, ask_retention, ask_correlation, ask_form, ask_bytes,
                          ask_kept);
  END IF;
END $$;
