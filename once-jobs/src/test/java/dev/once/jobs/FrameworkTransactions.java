package dev.once.jobs;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** One transaction at a time, as a framework binds it; a test decides when and how it ends. */
final class FrameworkTransactions implements JobTransactions, AutoCloseable {
  private final JobTransactions others;
  private final DataSource dataSource;
  private final List<Runnable> afterCommit = new ArrayList<>();
  private @Nullable Connection current;

  FrameworkTransactions(DataSource dataSource) {
    this.others = new JdbcTransactions(dataSource);
    this.dataSource = dataSource;
  }

  Connection begin() throws SQLException {
    return begin(Connection.TRANSACTION_READ_COMMITTED);
  }

  Connection begin(int isolation) throws SQLException {
    close();
    afterCommit.clear();
    Connection connection = dataSource.getConnection();
    connection.setAutoCommit(false);
    connection.setTransactionIsolation(isolation);
    current = connection;
    return connection;
  }

  void commit() throws SQLException {
    commitWithoutAnswer();
    answer();
  }

  /** Commits, but the framework does not learn of it yet. */
  void commitWithoutAnswer() throws SQLException {
    current().orElseThrow().commit();
    close();
  }

  void answer() {
    List<Runnable> actions = List.copyOf(afterCommit);
    afterCommit.clear();
    actions.forEach(Runnable::run);
  }

  void rollback() throws SQLException {
    current().orElseThrow().rollback();
    close();
    afterCommit.clear();
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T execute(Callback<T, X> callback)
      throws X, SQLException {
    return others.execute(callback);
  }

  @Override
  public Optional<Connection> current() {
    return Optional.ofNullable(current);
  }

  @Override
  public void afterCommit(Runnable action) {
    afterCommit.add(action);
  }

  @Override
  public void close() throws SQLException {
    if (current != null) {
      current.close();
      current = null;
    }
  }
}
