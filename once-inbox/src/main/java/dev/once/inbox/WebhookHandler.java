package dev.once.inbox;

import dev.once.Once;
import dev.once.jobs.RetryPolicy;
import java.sql.Connection;
import java.util.Optional;

/** Processes the items of one provider, each once. */
public sealed interface WebhookHandler {
  /** Runs work that a database transaction undoes if it fails. */
  @FunctionalInterface
  interface TransactionalWork {
    void run(Webhook webhook, Connection connection) throws Exception;
  }

  /** Runs work with effects outside the database. */
  @FunctionalInterface
  interface LeasedWork {
    void run(Webhook webhook) throws Exception;
  }

  RetryPolicy retries();

  Optional<Confirming> confirming();

  WebhookHandler withRetries(RetryPolicy retries);

  /**
   * Queries {@code confirmation} about every item first, outside of any transaction, and passes
   * only confirmed items to the handler, with the data from the provider's answer.
   */
  WebhookHandler confirmedBy(Once once, Confirmation confirmation);

  /**
   * Commits the writes of {@code work} through its connection and the completion of the item in one
   * transaction: the item is processed exactly once, even if the worker crashes, pauses past its
   * lease or loses the network.
   */
  static WebhookHandler transactional(TransactionalWork work) {
    return new Transactional(work, RetryPolicy.DEFAULT, Optional.empty());
  }

  /** Runs {@code work} under a lease and through {@code once}, which records its completion. */
  static WebhookHandler leased(Once once, LeasedWork work) {
    return new Leased(work, once, RetryPolicy.DEFAULT, Optional.empty());
  }

  /** The confirmation to query, and the engine that runs it. */
  record Confirming(Once once, Confirmation confirmation) {}

  record Transactional(TransactionalWork work, RetryPolicy retries, Optional<Confirming> confirming)
      implements WebhookHandler {
    @Override
    public WebhookHandler withRetries(RetryPolicy retries) {
      return new Transactional(work, retries, confirming);
    }

    @Override
    public WebhookHandler confirmedBy(Once once, Confirmation confirmation) {
      return new Transactional(work, retries, Optional.of(new Confirming(once, confirmation)));
    }
  }

  record Leased(LeasedWork work, Once once, RetryPolicy retries, Optional<Confirming> confirming)
      implements WebhookHandler {
    @Override
    public WebhookHandler withRetries(RetryPolicy retries) {
      return new Leased(work, once, retries, confirming);
    }

    @Override
    public WebhookHandler confirmedBy(Once once, Confirmation confirmation) {
      return new Leased(work, once, retries, Optional.of(new Confirming(once, confirmation)));
    }
  }
}
