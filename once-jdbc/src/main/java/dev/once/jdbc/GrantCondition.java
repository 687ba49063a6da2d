package dev.once.jdbc;

import dev.once.jdbc.internal.Parameters;
import dev.once.spi.Claim;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The condition of every change by an owner: its grant is the newest, its record is not expired.
 */
final class GrantCondition {
  /**
   * For the transaction that made the claim: no other transaction sees the claim or locks the row.
   */
  static final String UNSEEN =
      """
      WHERE tenant = ? AND scope = ? AND key = ? AND fence = ? AND state = 'in_progress'
      """;

  /**
   * Does not wait for a row that another open transaction has locked: the statement would wait
   * until that transaction ends, and so would the calls behind it.
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

  /** Returns why a change by {@code grant} had no effect. */
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
