package dev.once.jdbc.internal;

import dev.once.Key;
import dev.once.StoreException;
import dev.once.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** Runs steps against the database, each in a transaction of its own. */
public final class TransactionRunner {
  /** How often a step is tried that fails by a serialization conflict or a deadlock. */
  private static final int CONFLICT_TRIES = 20;

  private static final long FIRST_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(250);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final DataSource dataSource;
  private final int timeoutMillis;

  /** Creates a runner that waits for the database as long as {@code dataSource} does. */
  public TransactionRunner(DataSource dataSource) {
    this(dataSource, Duration.ZERO);
  }

  /**
   * Creates a runner that waits for the database's answer for {@code timeout}, if the connection
   * has no timeout of its own. Without any timeout, a call would wait for as long as the network is
   * down.
   */
  public TransactionRunner(DataSource dataSource, Duration timeout) {
    this.dataSource = dataSource;
    this.timeoutMillis = Math.toIntExact(timeout.toMillis());
  }

  /** The statements to run on a connection. */
  public interface Step<T> {
    T run(Connection connection) throws SQLException;
  }

  public <T> T run(String what, Step<T> step) {
    return run(() -> what, step);
  }

  public <T> T run(String what, Key key, Step<T> step) {
    return run(() -> what + " of " + key, step);
  }

  /** Takes the name as a supplier: only errors need it, and to print a key costs a hash. */
  private <T> T run(Supplier<String> name, Step<T> step) {
    for (int attempt = 1; ; attempt++) {
      Connection connection = attempt == 1 ? connect(name) : connectAgain(name);
      boolean limited = false;
      try {
        requireWanted(name);
        limited = limitTime(connection);
        return commit(connection, step);
      } catch (SQLException e) {
        if (attempt == CONFLICT_TRIES || !SqlStates.isConflict(e)) {
          throw failure(name, e);
        }
      } catch (OutOfMemoryError e) {
        // Parts of an answer may be unread: the connection must not be used again.
        abort(connection, e);
        throw new StoreException(name.get() + " ran out of memory", e);
      } finally {
        if (limited) {
          unlimitTime(connection);
        }
        close(connection);
      }
      // The pause is random, so that the conflicting transactions do not collide again.
      long longest = Math.min(FIRST_PAUSE_NANOS << attempt, LONGEST_PAUSE_NANOS);
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(longest));
    }
  }

  /** Runs a step of several statements and commits them together. */
  public <T> T runInTransaction(String what, Step<T> step) {
    return run(
        what,
        connection -> {
          boolean autoCommit = connection.getAutoCommit();
          connection.setAutoCommit(false);
          T result = commit(connection, step);
          connection.setAutoCommit(autoCommit); // After a failure, the pool resets it.
          return result;
        });
  }

  /**
   * Fails if the connection came after the caller gave up: a change without a fence must not be
   * made late.
   */
  private static void requireWanted(Supplier<String> name) {
    if (StoreThreads.isGivenUp()) {
      throw new StoreUnavailableException(name.get() + " failed: its caller has given up", null);
    }
  }

  /** A step of several statements that commits each may have done a part of them by now. */
  private Connection connectAgain(Supplier<String> name) {
    try {
      return connect(name);
    } catch (StoreUnavailableException e) {
      throw new StoreException(String.valueOf(e.getMessage()), e);
    }
  }

  private Connection connect(Supplier<String> name) {
    try {
      return dataSource.getConnection();
    } catch (SQLException e) {
      throw new StoreUnavailableException(name.get() + " failed: " + SqlStates.messageOf(e), e);
    } catch (RuntimeException e) { // A source that looks up another one, for example.
      throw new StoreUnavailableException(name.get() + " failed: no connection", e);
    }
  }

  /** Sets our timeout where the connection has none, and returns whether it did. */
  private boolean limitTime(Connection connection) {
    try {
      if (timeoutMillis == 0 || connection.getNetworkTimeout() != 0) {
        return false;
      }
      connection.setNetworkTimeout(Runnable::run, timeoutMillis);
      return true;
    } catch (SQLException | RuntimeException | LinkageError e) {
      return false; // A driver without such timeouts, or a broken connection, which fails next.
    }
  }

  private static void unlimitTime(Connection connection) {
    try {
      connection.setNetworkTimeout(Runnable::run, 0);
    } catch (SQLException | RuntimeException e) {
      // The connection is broken, and the pool will notice.
    }
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

  private static StoreException failure(Supplier<String> name, SQLException e) {
    String message = name.get() + " failed: " + SqlStates.messageOf(e);
    SQLException cause = SqlStates.realOf(e);
    return SqlStates.isUndone(cause)
        ? new StoreUnavailableException(message, cause)
        : new StoreException(message, cause);
  }

  private static void rollback(Connection connection, Exception failure) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  private static void abort(Connection connection, Throwable failure) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  /** Closes the connection. A failure here does not undo what was committed. */
  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      // The pool handles a connection that cannot be closed.
    }
  }
}
