package dev.once.examples.payments;

import dev.once.payments.Amount;
import dev.once.payments.Phone;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The table of orders. */
final class Orders {
  private Orders() {}

  static Order place(Connection connection, String item, Amount amount, Phone phone)
      throws SQLException {
    String sql = "INSERT INTO orders (id, item, amount, currency, phone) VALUES (?, ?, ?, ?, ?)";
    Order order = new Order("o-" + nextNumber(connection), item, amount, phone);
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      insert.setString(1, order.id());
      insert.setString(2, item);
      insert.setBigDecimal(3, amount.value());
      insert.setString(4, amount.currency());
      insert.setString(5, phone.e164());
      insert.executeUpdate();
    }
    return order;
  }

  static Order find(Connection connection, String id) throws SQLException {
    String sql = "SELECT item, amount, currency, phone FROM orders WHERE id = ?";
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      select.setString(1, id);
      try (ResultSet row = select.executeQuery()) {
        if (!row.next()) {
          throw new IllegalStateException("there is no order " + id);
        }
        Amount amount = new Amount(row.getBigDecimal(2), row.getString(3));
        return new Order(id, row.getString(1), amount, new Phone(row.getString(4)));
      }
    }
  }

  private static long nextNumber(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT nextval('order_number')")) {
      row.next();
      return row.getLong(1);
    }
  }
}
