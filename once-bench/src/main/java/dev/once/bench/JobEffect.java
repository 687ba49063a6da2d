package dev.once.bench;

import java.sql.Connection;
import java.sql.SQLException;

/** The effect of a job. Thread-safe. */
@FunctionalInterface
interface JobEffect {
  JobEffect NOTHING = (job, lender) -> {};

  void perform(long job, Lender lender) throws SQLException;

  /** Lends a connection for writing: the one that also completes the job, or one from the pool. */
  @FunctionalInterface
  interface Lender {
    void lend(Writing writing) throws SQLException;
  }

  /** Writes on a connection without committing. */
  @FunctionalInterface
  interface Writing {
    void on(Connection connection) throws SQLException;
  }
}
