package dev.once.jdbc;

import dev.once.spi.Claim;
import java.sql.SQLException;

/** The fence that every transition carries: the grant is the newest and its record is alive. */
final class GrantCondition {
  /** For a transaction that made the claim itself: nobody else can see the record expire. */
  static final String UNSEEN =
      """
      WHERE tenant = ? AND scope = ? AND key = ? AND fence = ? AND state = 'in_progress'
      """;

  static final String SQL = UNSEEN + "  AND expires_at > clock_timestamp()\n";

  private GrantCondition() {}

  static void bind(Parameters parameters, Claim.Granted grant) throws SQLException {
    parameters
        .text(grant.key().tenant())
        .text(grant.key().scope())
        .text(grant.key().value())
        .number(grant.fence());
  }
}
