package dev.once.bench;

import java.sql.SQLException;

/**
 * A way to take in webhooks: durable when the call returns, and known when they come again. Every
 * contestant uses the same pool. Thread-safe.
 */
interface InboxContestant {
  String name();

  /** What is safe when a delivery has been accepted. */
  String note();

  boolean isOnce();

  /** Takes in the delivery {@code id}, whether it is new or not. */
  void accept(String id) throws Exception;

  /** How many deliveries were new to it, counted in the table. */
  long accepted() throws SQLException;
}
