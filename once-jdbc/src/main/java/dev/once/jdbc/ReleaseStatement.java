package dev.once.jdbc;

import dev.once.jdbc.internal.Parameters;
import dev.once.spi.Claim;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Opens a record whose effect did not happen. */
final class ReleaseStatement {
  private static final String SQL = "UPDATE once_record SET state = 'open'\n" + GrantCondition.SQL;

  private ReleaseStatement() {}

  static ChangeResult execute(Connection connection, Claim.Granted grant) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      GrantCondition.bind(new Parameters(statement), grant);
      return statement.executeUpdate() == 1
          ? ChangeResult.MADE
          : GrantCondition.refused(connection, grant);
    }
  }
}
