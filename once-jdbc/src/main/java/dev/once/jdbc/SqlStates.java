package dev.once.jdbc;

import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The SQL states that mean something to a store. */
final class SqlStates {
  private static final String SERIALIZATION_FAILURE = "40001";
  private static final String DEADLOCK = "40P01";
  private static final String DIVISION_BY_ZERO = "22012";

  /** Connection, operator intervention, system and internal errors. */
  private static final List<String> UNCLEAR_CLASSES = List.of("08", "57", "58", "XX");

  private SqlStates() {}

  /** Whether the database undid a statement because of a concurrent one. */
  static boolean isConflict(SQLException e) {
    return SERIALIZATION_FAILURE.equals(e.getSQLState()) || DEADLOCK.equals(e.getSQLState());
  }

  /**
   * Whether the database said no and undid everything. When the connection broke, the server went
   * down or nobody said anything, what was sent may have been done.
   */
  static boolean isUndone(@Nullable Throwable failure) {
    return failure instanceof SQLException e
        && e.getSQLState() != null
        && UNCLEAR_CLASSES.stream().noneMatch(e.getSQLState()::startsWith);
  }

  static boolean isDivisionByZero(SQLException e) {
    return DIVISION_BY_ZERO.equals(e.getSQLState());
  }
}
