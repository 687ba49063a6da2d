package dev.once.jdbc;

import dev.once.Key;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Opens a record that is in progress. The fence stays: no grant changes a record that is not in
 * progress, and the next grant has a higher fence.
 */
final class ReopenStatement {
  private static final OperatorChange CHANGE =
      new OperatorChange("state = 'open'", "state = 'in_progress'");

  private ReopenStatement() {}

  static ChangeResult execute(Connection connection, Key key) throws SQLException {
    return CHANGE.make(connection, key);
  }
}
