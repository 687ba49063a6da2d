package dev.once.inbox;

import dev.once.inbox.Confirmation.Answer;
import dev.once.jobs.Handler;
import dev.once.jobs.JobException;
import dev.once.jobs.JobRun;
import dev.once.jobs.Workers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * Adapts the handler of a provider's items to handlers of jobs. An item that has to be confirmed
 * takes two jobs: the first queries the provider, outside of any transaction, and enqueues the
 * second with the provider's answer.
 */
record ItemJobs(Provider provider, WebhookHandler handler, Inbox inbox) {
  void addTo(Workers.Builder workers) {
    String queue = Inbox.queueOf(provider);
    Optional<WebhookHandler.Confirming> confirming = handler.confirming();
    if (confirming.isEmpty()) {
      workers.handle(queue, IncomingItem.RECEIVED, jobHandler());
      return;
    }
    Confirmation confirmation = confirming.get().confirmation();
    workers
        .handle(
            queue,
            IncomingItem.RECEIVED,
            Handler.leased(confirming.get().once(), run -> confirm(run, confirmation))
                .withRetries(handler.retries()))
        .handle(queue, IncomingItem.CONFIRMED, jobHandler());
  }

  private Handler jobHandler() {
    Handler plain;
    if (handler instanceof WebhookHandler.Leased it) {
      plain = Handler.leased(it.once(), run -> runLeased(run, it.work()));
    } else if (handler instanceof WebhookHandler.Transactional it) {
      plain = Handler.transactional((run, connection) -> runJoined(run, connection, it.work()));
    } else {
      throw new AssertionError("unhandled handler " + handler);
    }
    return plain.withRetries(handler.retries());
  }

  private void runJoined(JobRun run, Connection connection, WebhookHandler.TransactionalWork effect)
      throws Exception {
    Webhook webhook = new Webhook(provider.name(), run);
    if (isCurrent(webhook, connection)) {
      effect.run(webhook, connection);
    } else {
      publishOvertaken(webhook);
    }
  }

  private void runLeased(JobRun run, WebhookHandler.LeasedWork effect) throws Exception {
    Webhook webhook = new Webhook(provider.name(), run);
    if (inbox.work().run("advancing an object", it -> isCurrent(webhook, it))) {
      effect.run(webhook);
    } else {
      publishOvertaken(webhook);
    }
  }

  /**
   * Stores the reported state, and returns whether no later state of the same object was stored
   * before.
   */
  private boolean isCurrent(Webhook webhook, Connection connection) throws SQLException {
    Optional<Item.Rank> rank = webhook.rank();
    return rank.isEmpty()
        || AdvanceStatement.execute(connection, webhook, rank.get(), provider.retention());
  }

  private void publishOvertaken(Webhook webhook) {
    inbox.listener().on(new InboxEvent.Overtaken(provider.name(), webhook.type(), webhook.key()));
  }

  private void confirm(JobRun run, Confirmation confirmation) throws Exception {
    Webhook webhook = new Webhook(provider.name(), run);
    Answer answer = confirmation.ask(webhook);
    if (answer instanceof Answer.Confirmed it) {
      byte[] json = it.json().getBytes(StandardCharsets.UTF_8);
      inbox.confirm(provider, confirmed(webhook, json), run.correlation());
    } else if (answer instanceof Answer.NotYet it) {
      throw notYet(webhook, it.delay());
    } else if (answer instanceof Answer.Refuted it) {
      inbox.forget(webhook.key());
      inbox
          .listener()
          .on(new InboxEvent.Refuted(provider.name(), webhook.type(), webhook.key(), it.reason()));
    } else {
      throw new AssertionError("unhandled answer " + answer);
    }
  }

  /**
   * Returns the item as confirmed. An unusable answer makes the job a dead letter at once, because
   * another attempt would not help.
   */
  private Item confirmed(Webhook webhook, byte[] json) {
    try {
      return provider.confirmed(webhook, json);
    } catch (DeliveryRejectedException e) {
      throw new JobException.GiveUp(
          "what its provider confirmed is not final, too large, or about something else");
    }
  }

  /**
   * Returns the exception that reschedules the job while the item's record is retained, and makes
   * it a dead letter after that, so that an operator decides.
   */
  private JobException notYet(Webhook webhook, Duration delay) {
    Duration age = Duration.between(webhook.receivedAt(), inbox.clock().instant());
    return age.compareTo(provider.retention()) < 0
        ? new JobException.Snooze("its provider has no final answer yet", delay)
        : new JobException.GiveUp("its provider had no final answer for " + provider.retention());
  }
}
