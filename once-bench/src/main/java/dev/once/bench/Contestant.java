package dev.once.bench;

import java.sql.SQLException;

/**
 * A way to do something once per key in PostgreSQL. Every contestant uses the same pool, has its
 * table and indexes as its makers recommend, and fails loudly when a step has another effect than
 * the one it was called for. Thread-safe.
 */
interface Contestant {
  String name();

  /** What a crash between claim and completion means, and what a duplicate gets. */
  String note();

  /** Claims a key that nobody has used and marks it as done. */
  void execute(String key) throws Exception;

  /** Asks for a key that is done. */
  void replay(String key) throws Exception;

  /** How many keys are done, counted in the table. */
  long done() throws SQLException;
}
