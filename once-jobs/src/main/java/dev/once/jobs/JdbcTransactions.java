package dev.once.jobs;

import dev.once.StoreException;
import dev.once.jdbc.internal.SqlStates;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Transactions of plain JDBC. A caller that has one open passes its connection. */
record JdbcTransactions(DataSource dataSource) implements JobTransactions {
  @Override
  public <T extends @Nullable Object, X extends Exception> T execute(Callback<T, X> work)
      throws X, SQLException {
    try (Connection connection = open()) {
      T value;
      try {
        value = work.execute(connection);
      } catch (Throwable e) {
        rollback(connection, e);
        throw e;
      }
      commit(connection);
      return value;
    }
  }

  @Override
  public Optional<Connection> current() {
    return Optional.empty();
  }

  @Override
  public void afterCommit(Runnable action) {
    throw new AssertionError("plain JDBC has no current transaction");
  }

  private Connection open() {
    try {
      Connection connection = dataSource.getConnection();
      connection.setAutoCommit(false);
      return connection;
    } catch (SQLException e) {
      throw new StoreException("opening a transaction failed: " + SqlStates.messageOf(e), e);
    }
  }

  private static void commit(Connection connection) throws SQLException {
    try {
      connection.commit();
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      if (SqlStates.isUndone(e)) {
        throw e;
      }
      throw new StoreException("committing failed: " + SqlStates.messageOf(e), e);
    }
  }

  private static void rollback(Connection connection, Throwable failure) {
    try {
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException e) { // A dead connection has nothing left to roll back.
      failure.addSuppressed(e);
    }
  }
}
