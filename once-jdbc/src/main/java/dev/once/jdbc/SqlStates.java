package dev.once.jdbc;

import java.sql.SQLException;

/** The SQL states that mean something to a store. */
final class SqlStates {
  private static final String SERIALIZATION_FAILURE = "40001";
  private static final String DEADLOCK = "40P01";
  private static final String DIVISION_BY_ZERO = "22012";

  private SqlStates() {}

  /** Whether the database undid a statement because of a concurrent one. */
  static boolean isConflict(SQLException e) {
    return SERIALIZATION_FAILURE.equals(e.getSQLState()) || DEADLOCK.equals(e.getSQLState());
  }

  static boolean isDivisionByZero(SQLException e) {
    return DIVISION_BY_ZERO.equals(e.getSQLState());
  }
}
