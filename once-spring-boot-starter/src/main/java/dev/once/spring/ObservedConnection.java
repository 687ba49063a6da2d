package dev.once.spring;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The connection of a transaction, which knows whether it was asked for. All of Spring's access to
 * JDBC asks the holder that is bound to the thread, so a connection that was not asked for since a
 * moment has executed nothing since then.
 */
final class ObservedConnection extends ConnectionHolder {
  private long requests;

  private ObservedConnection(Connection connection) {
    super(connection);
  }

  /** Binds a new connection to this thread, for the next transaction of the source's manager. */
  static ThreadBinding bind(DataSource source) throws SQLException {
    ObservedConnection observed = new ObservedConnection(source.getConnection());
    TransactionSynchronizationManager.bindResource(source, observed);
    return () -> {
      TransactionSynchronizationManager.unbindResource(source);
      DataSourceUtils.releaseConnection(observed.getConnection(), null);
    };
  }

  @Override
  public Connection getConnection() {
    requests++;
    return super.getConnection();
  }

  /** Returns how often the connection was asked for. */
  long requests() {
    return requests;
  }

  /** Undoes what was done since a savepoint, and the mark that all is to be rolled back. */
  void rollBackTo(String savepoint) throws SQLException {
    try (Statement statement = getConnection().createStatement()) {
      statement.execute("ROLLBACK TO SAVEPOINT " + savepoint);
    }
    resetRollbackOnly();
  }
}
