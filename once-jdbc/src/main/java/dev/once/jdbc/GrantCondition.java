package dev.once.jdbc;

import dev.once.spi.Claim;
import java.sql.SQLException;

/** The fence that every transition carries: the grant is the newest and its record is alive. */
final class GrantCondition {
  static final String SQL =
      """
      WHERE tenant = ? AND scope = ? AND key = ? AND fence = ?
        AND state = 'in_progress' AND expires_at > clock_timestamp()
      """;

  private GrantCondition() {}

  static void bind(Parameters parameters, Claim.Granted grant) throws SQLException {
    parameters
        .text(grant.key().tenant())
        .text(grant.key().scope())
        .text(grant.key().value())
        .number(grant.fence());
  }
}
