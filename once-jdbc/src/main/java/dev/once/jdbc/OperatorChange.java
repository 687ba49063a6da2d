package dev.once.jdbc;

import dev.once.Key;
import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A change of one record by an operator, without a grant. It checks the record's state where {@link
 * GrantCondition} checks the fence. Neither waits for a row that another open transaction has
 * locked.
 */
final class OperatorChange {
  private static final String RECORD =
      """
      FROM once_record
      WHERE tenant = ? AND scope = ? AND key = ? AND expires_at > clock_timestamp()
      """;

  private final String update;
  private final String look;

  /**
   * Creates a change.
   *
   * @param set the assignments of the update
   * @param allowed which unexpired records may be changed
   */
  OperatorChange(String set, String allowed) {
    this.update =
        "UPDATE once_record SET %s\nWHERE ctid = (SELECT ctid %s AND format <= %d AND %s\n"
                .formatted(set, RECORD, RecordRow.FORMAT, allowed)
            + "  FOR UPDATE SKIP LOCKED)";
    this.look = "SELECT format, %s AS allowed %s".formatted(allowed, RECORD);
  }

  ChangeResult make(Connection connection, Key key) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(update)) {
      bind(statement, key);
      return statement.executeUpdate() == 1 ? ChangeResult.MADE : refused(connection, key);
    }
  }

  /** Returns why nothing changed. Fails for a record that this release cannot read. */
  private ChangeResult refused(Connection connection, Key key) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(look)) {
      bind(statement, key);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return ChangeResult.NOT_ALLOWED;
        }
        RecordRow.requireKnownFormat(row, key);
        return row.getBoolean("allowed") ? ChangeResult.BUSY : ChangeResult.NOT_ALLOWED;
      }
    }
  }

  private static void bind(PreparedStatement statement, Key key) throws SQLException {
    new Parameters(statement).text(key.tenant()).text(key.scope()).text(key.value());
  }
}
