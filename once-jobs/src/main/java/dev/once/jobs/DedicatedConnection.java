package dev.once.jobs;

import dev.once.jdbc.spi.TransactionRunner;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is kept, so that whoever needs it does not have to wait until handlers give
 * theirs back. For one thread at a time.
 */
final class DedicatedConnection implements AutoCloseable {
  private final DataSource dataSource;
  private final Duration timeout;
  private @Nullable Connection connection;

  /** An answer that takes longer than {@code timeout} does not come. */
  DedicatedConnection(DataSource dataSource, Duration timeout) {
    this.dataSource = dataSource;
    this.timeout = timeout;
  }

  /** After a failure, the next call has a new connection. */
  <T> T run(TransactionRunner.Step<T> step) throws SQLException {
    try {
      return step.run(open());
    } catch (SQLException | RuntimeException e) {
      close();
      throw e;
    }
  }

  Connection open() throws SQLException {
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
      } catch (SQLException e) { // It was broken, which is why it is closed.
        return;
      }
    }
  }
}
