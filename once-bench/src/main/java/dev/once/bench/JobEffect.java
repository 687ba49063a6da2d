package dev.once.bench;

import java.sql.Connection;
import java.sql.SQLException;

/** What a job does when it runs. Thread-safe. */
@FunctionalInterface
interface JobEffect {
  JobEffect NOTHING = (job, lender) -> {};

  void perform(long job, Lender lender) throws SQLException;

  /**
   * Lends a connection to whoever writes: one whose transaction also completes the job, or one from
   * the pool.
   */
  @FunctionalInterface
  interface Lender {
    void lend(Writing writing) throws SQLException;
  }

  /** Writes something on a connection, and leaves the commit to others. */
  @FunctionalInterface
  interface Writing {
    void on(Connection connection) throws SQLException;
  }
}
