package dev.once.examples.payments;

import dev.once.jobs.JobException;
import dev.once.jobs.JobKey;
import dev.once.jobs.JobRun;
import java.io.IOException;

/**
 * What is done for an order: reserve, charge, notify. It is ordinary code that is run from its
 * first line whenever its job is; steps that are done answer with what they returned.
 *
 * <p>The receipt is a step of the same run in a job of its own. Whether it can be sent decides
 * nothing about the order: that is paid when the money is booked.
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

  /** Reserves and charges. */
  void fulfil(JobRun job) throws IOException {
    Order order = order(job);
    Answers.value(reserve.run(order));
    Settlement settlement = Answers.value(charge.run(order));
    if (!settlement.isPaid()) {
      throw new JobException.GiveUp("the customer did not pay: " + settlement.status());
    }
    books.book(order, settlement);
  }

  /** Notifies. */
  void sendReceipt(JobRun job) throws IOException {
    Order order = order(job);
    receipts.sent(order, Answers.value(notify.run(order)));
  }

  private Order order(JobRun job) {
    return database.inTransaction(connection -> Orders.find(connection, job.key().resource()));
  }
}
