package dev.once.examples.payments;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Stores when a receipt was attempted, and the statuses that WhatsApp reported for it. */
final class Receipts {
  /**
   * WhatsApp reports within this time that a message was sent, if the shop was running. A real shop
   * would wait an hour.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(8);

  private final ShopDatabase database;
  private volatile Optional<OffsetDateTime> listeningSince = Optional.empty();

  Receipts(ShopDatabase database) {
    this.database = database;
  }

  /** Records the time from which the shop receives statuses from WhatsApp. */
  void listen() {
    listeningSince =
        Optional.of(
            database.<OffsetDateTime, RuntimeException>inTransaction(
                connection -> {
                  try (PreparedStatement select = connection.prepareStatement("SELECT now()");
                      ResultSet row = select.executeQuery()) {
                    row.next();
                    return row.getObject(1, OffsetDateTime.class);
                  }
                }));
  }

  void aboutToSend(String order) {
    update("UPDATE orders SET receipt_tried_at = now() WHERE id = ?", order);
  }

  /** Stores the status of a message; the inbox delivers statuses in order. */
  static void heard(Connection connection, String order, String message, String status)
      throws SQLException {
    String sql =
        """
        INSERT INTO receipt_status VALUES (?, ?, ?)
        ON CONFLICT (order_id, message_id) DO UPDATE SET status = EXCLUDED.status
        """;
    try (PreparedStatement upsert = connection.prepareStatement(sql)) {
      upsert.setString(1, order);
      upsert.setString(2, message);
      upsert.setString(3, status);
      upsert.executeUpdate();
    }
  }

  /** Returns the id of WhatsApp's message for this order; null if no status has arrived. */
  @Nullable String heardOf(String order) {
    return first("SELECT message_id FROM receipt_status WHERE order_id = ?", order);
  }

  /** Returns whether a status would have arrived by now if a message had been sent. */
  boolean isSilent(String order) {
    Optional<OffsetDateTime> since = listeningSince;
    if (since.isEmpty()) {
      return false;
    }
    String sql =
        """
        SELECT 'silent' FROM orders WHERE id = ? AND (receipt_tried_at IS NULL
          OR greatest(receipt_tried_at, '%s') < now() - interval '%d seconds')
        """
            .formatted(since.get(), PATIENCE.toSeconds());
    return first(sql, order) != null;
  }

  private @Nullable String first(String sql, String order) {
    return database.<@Nullable String, RuntimeException>inTransaction(
        connection -> {
          try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setString(1, order);
            try (ResultSet row = select.executeQuery()) {
              return row.next() ? row.getString(1) : null;
            }
          }
        });
  }

  private void update(String sql, String... values) {
    database.<@Nullable Void, RuntimeException>inTransaction(
        connection -> {
          try (PreparedStatement update = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
              update.setString(i + 1, values[i]);
            }
            update.executeUpdate();
            return null;
          }
        });
  }
}
