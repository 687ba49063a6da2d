-- The versions of this schema that the database has. Every script adds its own. The tables of
-- records (once-jdbc) and of jobs (once-jobs) must exist before.
CREATE TABLE once_webhook_schema (
  version      integer PRIMARY KEY,
  applied_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);
INSERT INTO once_webhook_schema (version) VALUES (1);

-- Where each tenant's webhooks are sent. The messages themselves are jobs (once_job).
CREATE TABLE once_webhook_endpoint (
  tenant          text COLLATE "C" NOT NULL,
  id              text COLLATE "C" NOT NULL,
  -- The types of the messages that it receives; empty for all.
  types           text[] NOT NULL,
  ordered         boolean NOT NULL,
  -- The URL and the secrets, a line each. URLs of webhooks are often secrets too.
  target          bytea NOT NULL,
  -- The id of the key that encrypted the target; null if it is not encrypted.
  sealed_by       text COLLATE "C",
  -- Of the target: sealed bytes always differ.
  fingerprint     text COLLATE "C" NOT NULL,
  -- Increases with every change of the settings: what an attempt with older settings reports does
  -- not count. Starts with the clock in microseconds, so that it is higher than that of a removed
  -- endpoint with the same id.
  version         bigint NOT NULL
    DEFAULT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
  -- The first failure since the last success.
  failing_since   timestamptz,
  last_failure    text,
  -- Null while it is enabled.
  disabled_at     timestamptz,
  disabled_reason text,
  PRIMARY KEY (tenant, id)
);
