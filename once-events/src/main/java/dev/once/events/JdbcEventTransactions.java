package dev.once.events;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Transactions of JDBC alone. */
record JdbcEventTransactions(DataSource dataSource) implements EventTransactions {
  @Override
  public void execute(Callback callback) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        callback.execute(connection);
        connection.commit();
      } catch (Throwable e) {
        rollback(connection, e);
        throw e;
      }
      connection.setAutoCommit(true);
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
