package dev.once.jdbc;

import dev.once.jdbc.spi.Parameters;
import dev.once.spi.Claim;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The fence that every transition carries: the grant is the newest and its record is alive. */
final class GrantCondition {
  /** For a transaction that made the claim itself: nobody else can see the record, or lock it. */
  static final String UNSEEN =
      """
      WHERE tenant = ? AND scope = ? AND key = ? AND fence = ? AND state = 'in_progress'
      """;

  /**
   * Does not wait for a row that somebody else's open transaction holds: what waits there would
   * wait for as long as that transaction likes, and everybody behind it with it.
   */
  static final String SQL =
      "WHERE ctid = (SELECT ctid FROM once_record\n"
          + UNSEEN
          + "  AND expires_at > clock_timestamp() FOR UPDATE SKIP LOCKED)\n";

  private static final String STATE =
      """
      SELECT state FROM once_record
      WHERE tenant = ? AND scope = ? AND key = ? AND fence = ? AND expires_at > clock_timestamp()
      """;

  private GrantCondition() {}

  static void bind(Parameters parameters, Claim.Granted grant) throws SQLException {
    parameters
        .text(grant.key().tenant())
        .text(grant.key().scope())
        .text(grant.key().value())
        .number(grant.fence());
  }

  /** Why a transition of {@code grant} changed nothing. */
  static ChangeResult refused(Connection connection, Claim.Granted grant) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(STATE)) {
      bind(new Parameters(statement), grant);
      try (ResultSet row = statement.executeQuery()) {
        String state = row.next() ? row.getString(1) : "gone";
        return switch (state) {
          case "in_progress" -> ChangeResult.BUSY;
          case "completed", "failed" -> ChangeResult.DONE_BEFORE;
          default -> ChangeResult.LOST;
        };
      }
    }
  }
}
