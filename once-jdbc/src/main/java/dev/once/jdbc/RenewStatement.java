package dev.once.jdbc;

import dev.once.jdbc.internal.Parameters;
import dev.once.spi.Claim;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/** Sets the end of a lease, and the end of the record to its retention after that. */
final class RenewStatement {
  // The clock is read once: with two readings the retention would drift with every renewal. The
  // retention is added in seconds: a day in the session's time zone may have 23 or 25 hours.
  private static final String SQL =
      """
      UPDATE once_record
      SET lease_until = lease.until,
          expires_at = lease.until
            + make_interval(secs => extract(epoch FROM expires_at - lease_until))
      FROM (SELECT clock_timestamp() + ? * interval '1 microsecond' AS until) AS lease
      """
          + GrantCondition.SQL;

  private RenewStatement() {}

  static ChangeResult execute(Connection connection, Claim.Granted grant, Duration lease)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      GrantCondition.bind(new Parameters(statement).duration(lease), grant);
      return statement.executeUpdate() == 1
          ? ChangeResult.MADE
          : GrantCondition.refused(connection, grant);
    }
  }
}
