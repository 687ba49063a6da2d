package dev.once.examples.payments;

import dev.once.Once;
import dev.once.StoreException;
import dev.once.servlet.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The transaction of a request: its key, its order and the start of the order's workflow are one
 * commit.
 */
final class ShopTransactions implements Transactions {
  private static final ThreadLocal<@Nullable Connection> CURRENT = new ThreadLocal<>();

  private final ShopDatabase database;
  private final Once once;
  private final Runnable afterCommit;

  ShopTransactions(ShopDatabase database, Once once, Runnable afterCommit) {
    this.database = database;
    this.once = once;
    this.afterCommit = afterCommit;
  }

  /** Returns the connection of the request on this thread. */
  static Connection current() {
    Connection connection = CURRENT.get();
    if (connection == null) {
      throw new IllegalStateException("this request has no transaction");
    }
    return connection;
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T execute(Callback<T, X> work) throws X {
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      T value = executeIn(connection, work);
      commit(connection);
      afterCommit.run();
      return value;
    } catch (SQLException e) {
      throw new StoreException("no transaction could be started", e);
    }
  }

  private <T extends @Nullable Object, X extends Exception> T executeIn(
      Connection connection, Callback<T, X> work) throws X, SQLException {
    CURRENT.set(connection);
    try {
      return work.execute(once.joining(database.store().within(connection)));
    } catch (Throwable failure) {
      connection.rollback();
      throw failure;
    } finally {
      CURRENT.remove();
    }
  }

  private static void commit(Connection connection) {
    try {
      connection.commit();
    } catch (SQLException e) {
      throw new CommitFailedException(e);
    }
  }
}
