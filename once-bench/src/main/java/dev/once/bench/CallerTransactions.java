package dev.once.bench;

import dev.once.jobs.JobTransactions;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Transactions that are bound to the calling thread, as those of a framework: job queues enqueue
 * what follows from a write together with it.
 */
record CallerTransactions(BenchDatabase database, ThreadLocal<Bound> bound)
    implements JobTransactions {
  private record Bound(Connection connection, List<Runnable> afterCommit) {}

  CallerTransactions(BenchDatabase database) {
    this(database, new ThreadLocal<>());
  }

  /** Writes in a transaction in which {@link #source} and {@link #current} take part. */
  void run(BenchDatabase.Writing writing) throws SQLException {
    List<Runnable> afterCommit = new ArrayList<>();
    try {
      database.inTransaction(
          connection -> {
            bound.set(new Bound(connection, afterCommit));
            writing.on(connection);
          });
    } finally {
      bound.remove();
    }
    afterCommit.forEach(Runnable::run);
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T execute(Callback<T, X> callback)
      throws X, SQLException {
    try (Connection connection = database.pool().getConnection()) {
      connection.setAutoCommit(false); // The pool resets it and rolls back.
      T value = callback.execute(connection);
      connection.commit();
      return value;
    }
  }

  @Override
  public Optional<Connection> current() {
    return Optional.ofNullable(bound.get()).map(Bound::connection);
  }

  @Override
  public void afterCommit(Runnable action) {
    bound.get().afterCommit().add(action);
  }

  /** Returns the pool, except that a thread in a transaction gets its connection. */
  DataSource source() {
    return proxy(
        DataSource.class,
        (proxy, method, arguments) ->
            method.getName().equals("getConnection") && current().isPresent()
                ? withoutClose(current().orElseThrow())
                : method.invoke(database.pool(), arguments));
  }

  private static Connection withoutClose(Connection connection) {
    return proxy(
        Connection.class,
        (proxy, method, arguments) ->
            method.getName().equals("close") ? null : method.invoke(connection, arguments));
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
