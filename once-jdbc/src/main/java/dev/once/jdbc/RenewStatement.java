package dev.once.jdbc;

import dev.once.spi.Claim;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/** Moves the end of a lease, and the end of the record, which is its retention later, with it. */
final class RenewStatement {
  private static final String SQL =
      """
      UPDATE once_record
      SET lease_until = clock_timestamp() + ? * interval '1 microsecond',
          expires_at = clock_timestamp() + ? * interval '1 microsecond' + (expires_at - lease_until)
      """
          + GrantCondition.SQL;

  private RenewStatement() {}

  /** Returns whether the grant still owned its key. */
  static boolean execute(Connection connection, Claim.Granted grant, Duration lease)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      GrantCondition.bind(new Parameters(statement).micros(lease).micros(lease), grant);
      return statement.executeUpdate() == 1;
    }
  }
}
