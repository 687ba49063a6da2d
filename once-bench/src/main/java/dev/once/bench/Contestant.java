package dev.once.bench;

import java.sql.SQLException;
import java.util.OptionalDouble;

/**
 * A way to do something once per key in PostgreSQL. Every contestant uses the same pool, has its
 * table and indexes as its makers recommend, and fails loudly when a step has another effect than
 * the one it was called for. Thread-safe.
 */
interface Contestant {
  /** The aim beside those who do other work than Once. */
  double AHEAD = 1.0;

  /** The aim beside those who do the same work without Once. */
  double NEAR = 0.95;

  String name();

  /** What a crash between claim and completion means, and what a duplicate gets. */
  String note();

  /** What {@link #replay} finds out. */
  String replayNote();

  /** How many commits, each flushed to the disk, a new key takes. */
  int commits();

  /** How much of its speed Once shall reach; empty for Once itself. */
  OptionalDouble aim();

  /** Claims a key that nobody has used and marks it as done. */
  void execute(String key) throws Exception;

  /** Asks for a key that is done. */
  void replay(String key) throws Exception;

  /** How many keys are done, counted in the table. */
  long done() throws SQLException;
}
