package dev.once.webhooks;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Notes that an endpoint failed, and disables it if it has failed for too long. An endpoint whose
 * settings have changed since the attempt began stays as it is.
 */
final class FailureStatement {
  private static final String SQL =
      """
      UPDATE once_webhook_endpoint e SET
        failing_since = coalesce(e.failing_since, clock_timestamp()),
        last_failure = ?,
        disabled_at = CASE WHEN e.failing_since <= n.deadline THEN clock_timestamp() END,
        disabled_reason = CASE WHEN e.failing_since <= n.deadline THEN ? END
      FROM (SELECT clock_timestamp() - ? * interval '1 microsecond') AS n (deadline)
      WHERE e.tenant = ? AND e.id = ? AND e.version = ? AND e.disabled_at IS NULL
      RETURNING e.disabled_at IS NOT NULL AS is_disabled
      """;

  private FailureStatement() {}

  /** Returns whether this failure disabled the endpoint. */
  static boolean execute(
      Connection connection,
      EndpointRow endpoint,
      String failure,
      Duration disableAfter,
      String reason)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .text(failure)
          .text(reason)
          .duration(disableAfter)
          .text(endpoint.tenant())
          .text(endpoint.id())
          .number(endpoint.version());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getBoolean("is_disabled");
      }
    }
  }
}
