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
  PRIMARY KEY (handler, aggregate)
) WITH (fillfactor = 80);
