package dev.once.jdbc;

import dev.once.Key;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Ends the retention of a record that no running lease protects. The row is left to the purge
 * rather than deleted: until then the next fence is counted from it, even if the clock was set
 * back.
 */
final class ExpireStatement {
  private static final OperatorChange CHANGE =
      new OperatorChange(
          "expires_at = clock_timestamp()",
          "(state <> 'in_progress' OR lease_until <= clock_timestamp())");

  private ExpireStatement() {}

  static ChangeResult execute(Connection connection, Key key) throws SQLException {
    return CHANGE.make(connection, key);
  }
}
