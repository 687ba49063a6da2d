package dev.once.inbox;

import dev.once.Fingerprint;
import dev.once.jdbc.spi.Work;
import dev.once.jobs.Handler;
import dev.once.jobs.Job;
import dev.once.jobs.JobException;
import dev.once.jobs.JobKey;
import dev.once.jobs.JobRun;
import dev.once.jobs.Jobs;
import dev.once.jobs.Workers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Turns the handler of a provider's items into handlers of jobs. An item that has to be confirmed
 * takes two jobs: one asks, outside of any transaction, and enqueues the other with what it heard.
 */
final class Processing {
  /** The type of jobs that bring confirmed items. */
  private static final String CONFIRMED = "confirmed";

  private final Provider provider;
  private final WebhookHandler handler;
  private final Jobs jobs;
  private final Work work;
  private final InboxListener listener;
  private final InstantSource clock;

  Processing(
      Provider provider,
      WebhookHandler handler,
      Jobs jobs,
      Work work,
      InboxListener listener,
      InstantSource clock) {
    this.provider = provider;
    this.handler = handler;
    this.jobs = jobs;
    this.work = work;
    this.listener = listener;
    this.clock = clock;
  }

  void addTo(Workers.Builder workers) {
    String queue = Inbox.queueOf(provider);
    Optional<WebhookHandler.Confirming> confirming = handler.confirming();
    if (confirming.isEmpty()) {
      workers.handle(queue, Inbox.RECEIVED, jobHandler());
      return;
    }
    Confirmation confirmation = confirming.get().confirmation();
    workers
        .handle(
            queue,
            Inbox.RECEIVED,
            Handler.leased(confirming.get().once(), run -> confirm(run, confirmation))
                .withRetries(handler.retries()))
        .handle(queue, CONFIRMED, jobHandler());
  }

  private Handler jobHandler() {
    Handler plain =
        handler instanceof WebhookHandler.Leased leased
            ? Handler.leased(leased.once(), run -> runLeased(run, leased.work()))
            : Handler.transactional(this::runTransactional);
    return plain.withRetries(handler.retries());
  }

  private void runTransactional(JobRun run, Connection connection) throws Exception {
    Webhook webhook = new Webhook(provider.name(), run);
    if (isOvertaken(webhook, connection)) {
      listener.on(new InboxEvent.Overtaken(provider.name(), webhook.type(), webhook.key()));
    } else if (handler instanceof WebhookHandler.Transactional it) {
      it.work().run(webhook, connection);
    }
  }

  private void runLeased(JobRun run, WebhookHandler.LeasedWork effect) throws Exception {
    Webhook webhook = new Webhook(provider.name(), run);
    if (work.run("advancing an object", it -> isOvertaken(webhook, it))) {
      listener.on(new InboxEvent.Overtaken(provider.name(), webhook.type(), webhook.key()));
    } else {
      effect.run(webhook);
    }
  }

  private boolean isOvertaken(Webhook webhook, Connection connection) throws SQLException {
    Optional<Item.Rank> rank = webhook.rank();
    return rank.isPresent()
        && !AdvanceStatement.execute(connection, webhook, rank.get(), provider.retention());
  }

  private void confirm(JobRun run, Confirmation confirmation) throws Exception {
    Webhook webhook = new Webhook(provider.name(), run);
    Confirmation.Answer answer = confirmation.ask(webhook);
    if (answer instanceof Confirmation.Answer.Confirmed it) {
      jobs.enqueue(
          Job.of(
                  new JobKey(
                      webhook.tenant(), Inbox.queueOf(provider), CONFIRMED, run.key().resource()))
              .withPayload(
                  Envelope.withData(run.payload(), it.json().getBytes(StandardCharsets.UTF_8)))
              // Asked twice, a provider may use other words for the same.
              .withFingerprint(Fingerprint.sha256(run.key().resource()))
              .withCorrelation(run.correlation()));
    } else if (answer instanceof Confirmation.Answer.NotYet it) {
      throw notYet(webhook, it.delay());
    } else if (answer instanceof Confirmation.Answer.Refuted it) {
      listener.on(
          new InboxEvent.Refuted(provider.name(), webhook.type(), webhook.key(), it.reason()));
    }
  }

  /** As long as the item is remembered; then it is a dead letter, for somebody to decide about. */
  private JobException notYet(Webhook webhook, Duration delay) {
    Duration age = Duration.between(webhook.receivedAt(), clock.instant());
    return age.compareTo(provider.retention()) < 0
        ? new JobException.Snooze("its provider cannot tell yet", delay)
        : new JobException.GiveUp("its provider could not tell for " + provider.retention());
  }
}
