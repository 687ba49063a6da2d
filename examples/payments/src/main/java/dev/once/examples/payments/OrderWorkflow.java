package dev.once.examples.payments;

import dev.once.jobs.JobException;
import dev.once.jobs.JobKey;
import dev.once.jobs.JobRun;
import java.io.IOException;

/**
 * The workflow of an order: reserve, charge, notify. It is ordinary code that starts at its first
 * line whenever its job runs; completed steps return their recorded results.
 *
 * <p>The receipt is a step of the same run in a separate job. Its failure does not affect the
 * order, which is paid when the money is booked.
 */
final class OrderWorkflow {
  static final String QUEUE = "orders";
  static final String TYPE = "order";

  private final ShopDatabase database;
  private final ReserveStep reserve;
  private final ChargeStep charge;
  private final Bookkeeping books;
  private final NotifyStep notify;
  private final Receipts receipts;

  OrderWorkflow(
      ShopDatabase database,
      ReserveStep reserve,
      ChargeStep charge,
      Bookkeeping books,
      NotifyStep notify,
      Receipts receipts) {
    this.database = database;
    this.reserve = reserve;
    this.charge = charge;
    this.books = books;
    this.notify = notify;
    this.receipts = receipts;
  }

  static JobKey key(String order) {
    return new JobKey(Order.TENANT, QUEUE, TYPE, order);
  }

  /** Reserves, charges and books. */
  void fulfil(JobRun job) throws IOException {
    Order order = order(job);
    Answers.value(reserve.run(order));
    Settlement settlement = Answers.value(charge.run(order));
    if (!settlement.isPaid()) {
      throw new JobException.GiveUp("the customer did not pay: " + settlement.status());
    }
    books.book(order, settlement);
  }

  /** Sends the receipt. */
  void sendReceipt(JobRun job) throws IOException {
    Order order = order(job);
    receipts.sent(order, Answers.value(notify.run(order)));
  }

  private Order order(JobRun job) {
    return database.inTransaction(connection -> Orders.find(connection, job.key().resource()));
  }
}
