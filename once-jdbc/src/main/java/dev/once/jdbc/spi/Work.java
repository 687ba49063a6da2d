package dev.once.jdbc.spi;

import dev.once.Key;
import dev.once.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** Runs one statement in a transaction of its own. */
public record Work(DataSource dataSource) {
  /** Conflicts at stricter isolation levels and deadlocks: the database says "try again". */
  private static final int CONFLICT_TRIES = 10;

  /** What is done with the connection. */
  public interface Step<T> {
    T run(Connection connection) throws SQLException;
  }

  public <T> T run(String what, Step<T> step) {
    return run(() -> what, step);
  }

  public <T> T run(String what, Key key, Step<T> step) {
    return run(() -> what + " of " + key, step);
  }

  /** The name is for errors alone, and made only then: showing a key costs a hash. */
  private <T> T run(Supplier<String> name, Step<T> step) {
    for (int attempt = 1; ; attempt++) {
      try (Connection connection = dataSource.getConnection()) {
        return commit(connection, step);
      } catch (SQLException e) {
        if (attempt == CONFLICT_TRIES || !SqlStates.isConflict(e)) {
          throw new StoreException(
              name.get() + " failed: " + SqlStates.messageOf(e), SqlStates.realOf(e));
        }
      }
    }
  }

  /** For a step of several statements that are committed together. */
  public <T> T runInTransaction(String what, Step<T> step) {
    return run(
        what,
        connection -> {
          boolean autoCommit = connection.getAutoCommit();
          connection.setAutoCommit(false);
          T result = commit(connection, step);
          connection.setAutoCommit(autoCommit); // After a failure, the pool sees to that.
          return result;
        });
  }

  private static <T> T commit(Connection connection, Step<T> step) throws SQLException {
    if (connection.getAutoCommit()) {
      return step.run(connection);
    }
    try {
      T result = step.run(connection);
      connection.commit();
      return result;
    } catch (SQLException | RuntimeException e) {
      rollback(connection, e);
      throw e;
    }
  }

  private static void rollback(Connection connection, Exception failure) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }
}
