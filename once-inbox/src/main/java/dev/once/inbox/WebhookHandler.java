package dev.once.inbox;

import dev.once.Once;
import dev.once.jobs.RetryPolicy;
import java.sql.Connection;
import java.util.Optional;

/** What is done for the items of one provider, and how it is made sure that it is done once. */
public sealed interface WebhookHandler {
  /** Work that a database transaction undoes if it fails. */
  @FunctionalInterface
  interface TransactionalWork {
    void run(Webhook webhook, Connection connection) throws Exception;
  }

  /** Work that reaches beyond the database. */
  @FunctionalInterface
  interface LeasedWork {
    void run(Webhook webhook) throws Exception;
  }

  RetryPolicy retries();

  Optional<Confirming> confirming();

  WebhookHandler withRetries(RetryPolicy retries);

  /**
   * Asks {@code confirmation} about every item first, outside of any transaction, and hands on only
   * what it confirms, in the provider's own words.
   */
  WebhookHandler confirmedBy(Once once, Confirmation confirmation);

  /**
   * What {@code work} writes through its connection and the end of the item are one transaction: it
   * is processed exactly once, whoever crashes, pauses or is cut off.
   */
  static WebhookHandler transactional(TransactionalWork work) {
    return new Transactional(work, RetryPolicy.DEFAULT, Optional.empty());
  }

  /** Runs {@code work} under a lease, and through {@code once}, which remembers what was done. */
  static WebhookHandler leased(Once once, LeasedWork work) {
    return new Leased(work, once, RetryPolicy.DEFAULT, Optional.empty());
  }

  /** Who is asked, and through which engine. */
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
