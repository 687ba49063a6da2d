package dev.once.examples.payments;

import dev.once.Codec;
import dev.once.jobs.RetryPolicy;
import dev.once.steps.RunId;
import dev.once.workflow.SignalType;
import dev.once.workflow.Workflow;
import dev.once.workflow.WorkflowContext;
import dev.once.workflow.WorkflowStep;
import dev.once.workflow.Workflows;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The workflow of an order: reserve, ask for payment, wait for the provider's confirmation, book,
 * ship, send the receipt. If the customer does not pay, it fails, and its compensation releases the
 * stock. It is ordinary code that is called again after every wait and in place of a killed shop;
 * calls that are done return what they returned before.
 */
final class OrderWorkflow {
  static final String QUEUE = "orders";

  /** The input is the order's id, and not the order: histories keep no phone numbers. */
  static final Workflow<@Nullable String, @Nullable String> FULFIL =
      Workflow.of("order", 1, Codec.text(), Codec.text());

  /** What the provider has confirmed. */
  static final SignalType<Settlement> SETTLED = SignalType.of("settled", Settlement.CODEC);

  /**
   * How long a callback may take, before the provider is queried. A real shop would wait minutes.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final ShopDatabase database;
  private final Charges charges;
  private final Bookkeeping books;
  private final Receipts receipts;
  private final WhatsAppClient whatsApp;

  OrderWorkflow(
      ShopDatabase database,
      Charges charges,
      Bookkeeping books,
      Receipts receipts,
      WhatsAppClient whatsApp) {
    this.database = database;
    this.charges = charges;
    this.books = books;
    this.receipts = receipts;
    this.whatsApp = whatsApp;
  }

  static RunId run(String order) {
    return new RunId(Order.TENANT, order);
  }

  Workflows.Builder registered(Workflows.Builder workflows) {
    return workflows.queue(QUEUE).register(FULFIL, this::fulfil);
  }

  private @Nullable String fulfil(WorkflowContext context, @Nullable String id) {
    String order = Objects.requireNonNull(id);
    context.transaction(
        step("reserve", Codec.text()).compensatedBy(execution -> release(order)),
        (connection, execution) -> Stock.reserve(connection, order));
    context.step(step("ask for payment", Codec.text()), execution -> charges.ask(find(order)));
    Settlement settlement =
        context
            .awaitSignal(SETTLED, PATIENCE)
            .orElseGet(
                () ->
                    Objects.requireNonNull(
                        context.step(
                            step("query the payment", Settlement.CODEC),
                            execution -> charges.settlement(find(order)))));
    if (!settlement.isPaid()) {
      throw new UnpaidOrderException(order, settlement);
    }
    context.transaction(
        step("book", Codec.text()),
        (connection, execution) ->
            books.book(connection, Orders.find(connection, order), settlement));
    context.transaction(
        step("ship", Codec.text()), (connection, execution) -> Shipments.ship(connection, order));
    return context.step(
        step("send the receipt", Codec.text()).asking(new ReceiptInquiry(receipts, order)),
        execution -> sendReceipt(order));
  }

  /** Many attempts, because faults are temporary: what must stop throws GiveUp. */
  private static <T extends @Nullable Object> WorkflowStep<T> step(String name, Codec<T> codec) {
    RetryPolicy retries =
        RetryPolicy.DEFAULT
            .withAttempts(1000)
            .withDelays(Duration.ofMillis(100), Duration.ofSeconds(1));
    return WorkflowStep.of(name, codec).withRetries(retries);
  }

  private Order find(String order) {
    return database.inTransaction(connection -> Orders.find(connection, order));
  }

  private String release(String order) {
    return database.<String, RuntimeException>inTransaction(
        connection -> Stock.release(connection, order));
  }

  private String sendReceipt(String order) throws IOException {
    receipts.aboutToSend(order);
    return whatsApp.sendReceipt(find(order));
  }
}
