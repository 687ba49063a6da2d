package dev.once.servlet;

import dev.once.Once;
import dev.once.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Transactions in plain JDBC, one at a time per thread. */
final class PlainTransactions implements Transactions {
  private static final ThreadLocal<@Nullable Connection> CURRENT = new ThreadLocal<>();
  private static final ThreadLocal<Boolean> ROLLBACK_ONLY = ThreadLocal.withInitial(() -> false);

  private final OrderDatabase database;
  private final Once once;
  private volatile boolean isDown;
  private volatile boolean losesCommit;

  PlainTransactions(OrderDatabase database, Once once) {
    this.database = database;
    this.once = once;
  }

  void isDown(boolean isDown) {
    this.isDown = isDown;
  }

  /** Makes the next commit succeed but report a failure. */
  void loseCommit() {
    losesCommit = true;
  }

  /** Marks the transaction of this thread for rollback. */
  void setRollbackOnly() {
    ROLLBACK_ONLY.set(true);
  }

  /** Writes an order in this thread's transaction. */
  void placeOrder(String key) throws SQLException {
    Connection connection = CURRENT.get();
    if (connection == null) {
      throw new AssertionError("no transaction on this thread");
    }
    try (PreparedStatement insert = connection.prepareStatement("insert into orders values (?)")) {
      insert.setString(1, key);
      insert.executeUpdate();
    }
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T execute(Callback<T, X> work) throws X {
    try (Connection connection = begin()) {
      return execute(connection, work);
    } catch (SQLException e) {
      throw new StoreException("the connection failed", e);
    }
  }

  private <T extends @Nullable Object, X extends Exception> T execute(
      Connection connection, Callback<T, X> work) throws X, SQLException {
    CURRENT.set(connection);
    ROLLBACK_ONLY.set(false);
    boolean returned = false;
    T result;
    try {
      result = work.execute(once.joining(database.store().within(connection)));
      returned = !ROLLBACK_ONLY.get();
    } finally {
      CURRENT.remove();
      if (!returned) {
        connection.rollback();
      }
    }
    if (!returned) {
      throw new RolledBackException();
    }
    commit(connection);
    return result;
  }

  private Connection begin() throws SQLException {
    if (isDown) {
      throw new StoreException("no connection is available", null);
    }
    Connection connection = database.connect();
    connection.setAutoCommit(false);
    return connection;
  }

  private void commit(Connection connection) {
    try {
      connection.commit();
      if (losesCommit) {
        losesCommit = false;
        throw new SQLException("the answer to commit was lost");
      }
    } catch (SQLException e) {
      throw new CommitFailedException(e);
    }
  }
}
