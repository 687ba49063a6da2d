package dev.once.jdbc.internal;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The SQL states that a store distinguishes. */
public final class SqlStates {
  private static final String SERIALIZATION_FAILURE = "40001";
  private static final String DEADLOCK = "40P01";

  /** Raised by the function {@code once_require} of the schema. */
  private static final String LOST = "OC001";

  private static final String UNIQUE_VIOLATION = "23505";
  private static final String ABORTED_TRANSACTION = "25P02";
  private static final String MISSING_SAVEPOINT = "3B001";

  private static final String LOCK_NOT_AVAILABLE = "55P03";

  /**
   * The states of a statement that the server refused and undid: wrong data, a violated constraint,
   * a conflict, a wrong statement or missing right, a read-only transaction, a lock timeout. Other
   * states may be reported after the commit: the driver reports "out of memory" (53200), for
   * example, when it has no memory for the answer.
   */
  private static final List<String> UNDONE =
      List.of("22", "23", "25006", "40001", "40P01", "42", LOCK_NOT_AVAILABLE);

  private SqlStates() {}

  /** Returns whether the database undid a statement because of a concurrent one. */
  public static boolean isConflict(SQLException e) {
    return SERIALIZATION_FAILURE.equals(e.getSQLState()) || DEADLOCK.equals(e.getSQLState());
  }

  /**
   * Returns whether the database refused a statement and undid everything. After every other
   * failure, the statement may have been executed.
   */
  public static boolean isUndone(@Nullable Throwable failure) {
    return failure instanceof SQLException e
        && e.getSQLState() != null
        && UNDONE.stream().anyMatch(e.getSQLState()::startsWith);
  }

  /** Returns whether a statement waited for a lock until the lock timeout. */
  public static boolean isLockTimeout(@Nullable Throwable failure) {
    return failure instanceof SQLException e && LOCK_NOT_AVAILABLE.equals(e.getSQLState());
  }

  /** Returns whether the transaction was aborted by an earlier statement of the caller. */
  public static boolean isAborted(@Nullable Throwable failure) {
    return failure instanceof SQLException e && ABORTED_TRANSACTION.equals(e.getSQLState());
  }

  public static boolean isMissingSavepoint(@Nullable Throwable failure) {
    return failure instanceof SQLException e && MISSING_SAVEPOINT.equals(e.getSQLState());
  }

  /** Returns the first line of the server's message: later lines may quote values. */
  public static String messageOf(SQLException e) {
    return String.valueOf(realOf(e).getMessage()).lines().findFirst().orElse("no reason given");
  }

  /** Returns the server's error, without a batch's copy of the statement and its values. */
  public static SQLException realOf(SQLException e) {
    return e instanceof BatchUpdateException && e.getNextException() != null
        ? e.getNextException()
        : e;
  }

  /** Returns whether {@code table} has the row already. Other tables are the application's. */
  public static boolean isUniqueViolation(SQLException e, String table) {
    return UNIQUE_VIOLATION.equals(e.getSQLState()) && messageOf(e).contains(table);
  }

  /** Returns whether a completion found that its grant is not the newest. */
  public static boolean isLost(SQLException e) {
    return LOST.equals(e.getSQLState());
  }
}
