package dev.once.jdbc.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A connection that stays open, so that its user does not wait for others to return theirs to the
 * pool. For one thread at a time.
 */
public final class DedicatedConnection implements AutoCloseable {
  private final DataSource dataSource;
  private final Duration timeout;
  private @Nullable Connection connection;

  /** A call that takes longer than {@code timeout} fails. */
  public DedicatedConnection(DataSource dataSource, Duration timeout) {
    this.dataSource = dataSource;
    this.timeout = timeout;
  }

  /** Runs {@code step} on the connection. After a failure, the next call opens a new one. */
  public <T> T run(TransactionRunner.Step<T> step) throws SQLException {
    try {
      return step.run(open());
    } catch (SQLException | RuntimeException e) {
      close();
      throw e;
    }
  }

  public Connection open() throws SQLException {
    if (connection == null) {
      connection = dataSource.getConnection();
      connection.setNetworkTimeout(Runnable::run, (int) timeout.toMillis());
      connection.setAutoCommit(true);
    }
    return connection;
  }

  @Override
  public void close() {
    Connection old = connection;
    connection = null;
    if (old != null) {
      try {
        old.close();
      } catch (SQLException e) { // It was broken already.
        return;
      }
    }
  }
}
