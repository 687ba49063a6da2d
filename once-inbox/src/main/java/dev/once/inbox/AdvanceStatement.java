package dev.once.inbox;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Stores the state that an object has reached, unless a later state is stored already. The row
 * stays locked until the transaction ends, so other transactions that report about the same object
 * wait.
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

  /** Returns false if a later state is stored already. */
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
