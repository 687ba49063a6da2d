package dev.once.examples.payments;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The stock, and the reservations of orders. */
final class Stock {
  private static final String TAKE =
      """
      UPDATE stock SET remaining = remaining - 1
      WHERE item = (SELECT item FROM orders WHERE id = ?)
      """;

  private static final String RESERVE =
      "INSERT INTO reservation (order_id, item) SELECT id, item FROM orders WHERE id = ?";

  /** Changes nothing the second time, because a compensation may run more than once. */
  private static final String RELEASE =
      """
      WITH released AS (
        UPDATE reservation SET released_at = now() WHERE order_id = ? AND released_at IS NULL
        RETURNING item)
      UPDATE stock s SET remaining = s.remaining + (SELECT count(*) FROM released)
      WHERE s.item IN (SELECT item FROM released)
      """;

  private Stock() {}

  /** Takes the item of an order from the stock. */
  static String reserve(Connection connection, String order) throws SQLException {
    if (update(connection, TAKE, order) != 1 || update(connection, RESERVE, order) != 1) {
      throw new IllegalStateException("there is no order " + order + " of an item in stock");
    }
    return "reserved";
  }

  /** Returns the item to the stock, unless that is done, or the item was never reserved. */
  static String release(Connection connection, String order) throws SQLException {
    return update(connection, RELEASE, order) == 1 ? "released" : "nothing to release";
  }

  private static int update(Connection connection, String sql, String order) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, order);
      return statement.executeUpdate();
    }
  }
}
