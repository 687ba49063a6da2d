-- Reservation, booking and shipment have no key per order, so that a duplicate would be visible.
CREATE SEQUENCE IF NOT EXISTS order_number;

CREATE TABLE IF NOT EXISTS orders (
  id text PRIMARY KEY,
  item text NOT NULL,
  amount numeric NOT NULL,
  currency text NOT NULL,
  phone text NOT NULL,
  placed_at timestamptz NOT NULL DEFAULT now(),
  receipt_tried_at timestamptz
);

CREATE TABLE IF NOT EXISTS stock (
  item text PRIMARY KEY,
  remaining int NOT NULL CHECK (remaining >= 0)
);

CREATE TABLE IF NOT EXISTS reservation (
  order_id text NOT NULL,
  item text NOT NULL,
  released_at timestamptz
);

CREATE TABLE IF NOT EXISTS booking (
  order_id text NOT NULL,
  transaction_id text NOT NULL,
  amount numeric NOT NULL
);

CREATE TABLE IF NOT EXISTS shipment (order_id text NOT NULL);

CREATE TABLE IF NOT EXISTS receipt_status (
  order_id text NOT NULL,
  message_id text NOT NULL,
  status text NOT NULL,
  PRIMARY KEY (order_id, message_id)
);

INSERT INTO stock VALUES ('pen', 1000000) ON CONFLICT DO NOTHING;
