package dev.once.examples.payments;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Hands paid orders to the warehouse, which is a table here. */
final class Shipments {
  private Shipments() {}

  static String ship(Connection connection, String order) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO shipment (order_id) VALUES (?)")) {
      insert.setString(1, order);
      insert.executeUpdate();
      return "shipped";
    }
  }
}
