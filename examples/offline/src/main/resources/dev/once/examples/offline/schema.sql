-- The key is not unique here, on purpose: were a request executed twice, there would be two rows.
CREATE TABLE room (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  key text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
