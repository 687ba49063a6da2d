package dev.once.examples.payments;

import dev.once.Codec;
import dev.once.jobs.Job;
import dev.once.jobs.JobKey;
import dev.once.jobs.Jobs;
import dev.once.payments.PaymentConfirmation;
import dev.once.payments.Payments;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Books money that came in. The workflow and the provider's callback both report it, in any order
 * and more than once; the first report books it and enqueues the receipt in the same commit.
 */
final class Bookkeeping {
  static final String QUEUE = "receipts";
  static final String TYPE = "receipt";

  private final ShopDatabase database;
  private final Payments payments;
  private final Jobs jobs;

  Bookkeeping(ShopDatabase database, Payments payments, Jobs jobs) {
    this.database = database;
    this.payments = payments;
    this.jobs = jobs;
  }

  void book(Order order, Settlement settlement) {
    database.<String, RuntimeException>inTransaction(
        connection -> book(connection, order, settlement));
    jobs.wake(QUEUE);
  }

  /** Returns the booked transaction, or reschedules the job if another call is booking it. */
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

  private String write(Connection connection, Order order, Settlement settlement)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO booking VALUES (?, ?, ?)")) {
      insert.setString(1, order.id());
      insert.setString(2, settlement.transaction());
      insert.setBigDecimal(3, order.amount().value());
      insert.executeUpdate();
    }
    jobs.enqueue(connection, Job.of(new JobKey(Order.TENANT, QUEUE, TYPE, order.id())));
    return settlement.transaction();
  }
}
