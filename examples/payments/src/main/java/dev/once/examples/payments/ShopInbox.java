package dev.once.examples.payments;

import dev.once.Once;
import dev.once.inbox.Confirmation;
import dev.once.inbox.Confirmation.Answer;
import dev.once.inbox.Inbox;
import dev.once.inbox.Provider;
import dev.once.inbox.Webhook;
import dev.once.inbox.WebhookHandler;
import dev.once.jobs.Jobs;
import dev.once.jobs.Queue;
import dev.once.jobs.Workers;
import dev.once.workflow.Workflows;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Receives the webhooks of the providers: confirmations of payments and statuses of receipts. */
final class ShopInbox {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Duration ASK_AGAIN = Duration.ofMillis(500);

  private final Provider payments;
  private final Provider messages;
  private final Inbox inbox;
  private final MomoClient momo;
  private final Workflows workflows;

  ShopInbox(
      Shop.Settings settings,
      ShopDatabase database,
      Jobs jobs,
      MomoClient momo,
      Workflows workflows) {
    this.payments = Provider.mtnMomo(Order.TENANT).withPathToken(settings.token());
    this.messages = Provider.whatsApp(Order.TENANT, settings.secret(), settings.token());
    this.inbox =
        Inbox.builder(database.dataSource(), jobs).provider(payments).provider(messages).build();
    this.momo = momo;
    this.workflows = workflows;
  }

  Inbox inbox() {
    return inbox;
  }

  /** Registers the handlers of incoming webhooks with {@code workers}. */
  Workers.Builder process(Workers.Builder workers, Once once, UnaryOperator<Queue> settings) {
    Confirmation asksBack = this::askBack;
    inbox.process(
        workers,
        payments.name(),
        WebhookHandler.transactional(this::passOn).confirmedBy(once, asksBack));
    inbox.process(workers, messages.name(), WebhookHandler.transactional(ShopInbox::noteStatus));
    return workers
        .queue(settings.apply(Queue.named(Inbox.queueOf(payments))))
        .queue(settings.apply(Queue.named(Inbox.queueOf(messages))));
  }

  /** Queries the provider, since callbacks can be forged: only the provider's own answer counts. */
  private Answer askBack(Webhook callback) throws IOException {
    JsonNode claim = JSON.readTree(callback.data());
    UUID reference = UUID.fromString(claim.path("reference").asString());
    Optional<String> answer = momo.answer(reference);
    if (answer.isEmpty() || !Settlement.ofAnswer(answer.get()).isFinal()) {
      return new Answer.NotYet(ASK_AGAIN);
    }
    String status = Settlement.ofAnswer(answer.get()).status();
    return status.equals(claim.path("status").asString())
        ? new Answer.Confirmed(answer.get())
        : new Answer.Refuted("the provider says " + status);
  }

  /** Sends the order's workflow what the provider has confirmed, in the webhook's transaction. */
  private void passOn(Webhook confirmed, Connection connection) {
    Settlement settlement = Settlement.ofAnswer(confirmed.text());
    String order = JSON.readTree(confirmed.data()).path("externalId").asString();
    workflows.signal(
        connection,
        OrderWorkflow.run(order),
        OrderWorkflow.SETTLED,
        settlement.status(),
        settlement);
  }

  private static void noteStatus(Webhook webhook, Connection connection) throws SQLException {
    JsonNode status = JSON.readTree(webhook.data()).path("status");
    String order = status.path("biz_opaque_callback_data").asString("");
    if (webhook.type().equals("status") && !order.isEmpty()) {
      Receipts.heard(
          connection, order, status.path("id").asString(), status.path("status").asString());
    }
  }
}
