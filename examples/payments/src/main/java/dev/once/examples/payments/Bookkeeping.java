package dev.once.examples.payments;

import dev.once.Codec;
import dev.once.payments.PaymentConfirmation;
import dev.once.payments.Payments;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Books money that came in, once per transaction of the provider. */
final class Bookkeeping {
  private final ShopDatabase database;
  private final Payments payments;

  Bookkeeping(ShopDatabase database, Payments payments) {
    this.database = database;
    this.payments = payments;
  }

  /** Returns the booked transaction, or reschedules the step if another call is booking it. */
  String book(Connection connection, Order order, Settlement settlement) throws SQLException {
    var confirmation =
        new PaymentConfirmation(
            Order.TENANT,
            Order.PROVIDER,
            settlement.transaction(),
            order.amount(),
            settlement.status());
    return Answers.value(
        payments
            .joining(database.store().within(connection))
            .confirm(
                confirmation, Codec.text(), execution -> write(connection, order, settlement)));
  }

  private static String write(Connection connection, Order order, Settlement settlement)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO booking VALUES (?, ?, ?)")) {
      insert.setString(1, order.id());
      insert.setString(2, settlement.transaction());
      insert.setBigDecimal(3, order.amount().value());
      insert.executeUpdate();
    }
    return settlement.transaction();
  }
}
