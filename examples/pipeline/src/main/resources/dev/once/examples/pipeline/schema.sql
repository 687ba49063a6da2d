-- Processes start at the same time; one of them creates the tables.
SELECT pg_advisory_xact_lock(7010401);

CREATE SCHEMA IF NOT EXISTS pipeline;

-- The graph of instances and their types, which ontology_worker writes. A node has the sequence of its
-- last event. Edges start at nodes; where they end there may be no node yet, or no longer.
CREATE TABLE IF NOT EXISTS pipeline.node (
  kind      text COLLATE "C" NOT NULL,
  id        text COLLATE "C" NOT NULL,
  name      text NOT NULL,
  sequence  bigint NOT NULL,
  PRIMARY KEY (kind, id)
);
CREATE TABLE IF NOT EXISTS pipeline.edge (
  kind      text COLLATE "C" NOT NULL,
  id        text COLLATE "C" NOT NULL,
  relation  text COLLATE "C" NOT NULL,
  to_id     text COLLATE "C" NOT NULL,
  PRIMARY KEY (kind, id, relation, to_id)
);

-- Every change of the graph. No constraint makes its rows unique: it would hide what the demo counts.
CREATE TABLE IF NOT EXISTS pipeline.graph_change (
  event_id    text COLLATE "C" NOT NULL,
  kind        text COLLATE "C" NOT NULL,
  id          text COLLATE "C" NOT NULL,
  sequence    bigint NOT NULL,
  changed_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- The processes of the demo, for the page.
CREATE TABLE IF NOT EXISTS pipeline.part (
  name     text COLLATE "C" PRIMARY KEY,
  state    text NOT NULL,
  pid      bigint NOT NULL,
  kills    integer NOT NULL,
  since    timestamptz NOT NULL
);
