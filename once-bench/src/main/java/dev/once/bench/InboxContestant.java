package dev.once.bench;

import java.sql.SQLException;

/**
 * A way to accept webhooks: durable when the call returns, and recognized when they are delivered
 * again. Every contestant uses the same pool. Thread-safe.
 */
interface InboxContestant {
  String name();

  /** Describes what is durable when a delivery has been accepted. */
  String note();

  boolean isOnce();

  /** Accepts the delivery {@code id}, whether it is new or not. */
  void accept(String id) throws Exception;

  /** Returns the number of new deliveries, counted in the table. */
  long accepted() throws SQLException;
}
