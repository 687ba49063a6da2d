package dev.once.inbox;

import dev.once.jdbc.spi.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Writes down how far an object came, unless it came further before. Whoever does so in a
 * transaction keeps others who report about the same object waiting until its end.
 */
final class AdvanceStatement {
  private static final String SQL =
      """
      INSERT INTO once_inbox_order AS o (tenant, provider, object, height, expires_at)
      VALUES (?, ?, ?, ?, clock_timestamp() + ? * interval '1 microsecond')
      ON CONFLICT (tenant, provider, object) DO UPDATE
        SET height = excluded.height, expires_at = excluded.expires_at
        WHERE o.height <= excluded.height OR o.expires_at <= clock_timestamp()
      """;

  private AdvanceStatement() {}

  /** Returns false if the object came further before. */
  static boolean execute(Connection connection, Webhook webhook, Item.Rank rank, Duration retention)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .text(webhook.tenant())
          .text(webhook.provider())
          .text(rank.object())
          .number(rank.height())
          .duration(retention);
      return statement.executeUpdate() == 1;
    }
  }
}
