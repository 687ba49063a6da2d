package dev.once.bench;

import java.sql.SQLException;

/**
 * A way to run workflows whose steps are remembered one by one. Every contestant uses the same pool
 * and fails loudly when a step has another effect than it should. Thread-safe.
 */
interface StepContestant {
  /** How many steps a workflow has. */
  int STEPS = 10;

  String name();

  /** How many commits, each flushed to the disk, a workflow takes. */
  int commits();

  /** Runs a workflow that nobody has run, with {@link #STEPS} steps that return a short text. */
  void run() throws Exception;

  /** How many steps are on record, counted in the table. */
  long steps() throws SQLException;

  static String textOf(int step) {
    return "text " + step;
  }
}
