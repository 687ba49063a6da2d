package dev.once.bench;

import java.sql.SQLException;

/**
 * A way to run workflows and record each of their steps. Every contestant uses the same pool and
 * throws if a step has another effect than it should. Thread-safe.
 */
interface StepContestant {
  /** The number of steps of a workflow. */
  int STEPS = 10;

  String name();

  /** Returns the number of commits, each flushed to the disk, that a workflow takes. */
  int commits();

  /** Runs a new workflow with {@link #STEPS} steps that return a short text. */
  void run() throws Exception;

  /** Returns the number of recorded steps, counted in the table. */
  long steps() throws SQLException;

  static String textOf(int step) {
    return "text " + step;
  }
}
