package dev.once.webhooks;

import dev.once.StoreException;
import dev.once.UnreadableOutcomeException;
import dev.once.jobs.JobException;
import dev.once.jobs.JobRun;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Sends the message of a job to its endpoint. A process that ends after the post and before the job
 * is completed leaves a message that is sent again, under the same id.
 *
 * @param disableAfter how long an endpoint may fail without a success
 * @param maxWait how old a message may become for which its endpoint is not called
 */
record MessageHandler(
    PostgresEndpoints endpoints,
    WebhookPost post,
    Backoff backoff,
    Duration disableAfter,
    Duration maxWait,
    WebhookListener listener,
    InstantSource clock) {
  /** Until a waiting message looks again. Enabling an endpoint does not wait for that. */
  private static final Duration WAIT = Duration.ofMinutes(10);

  private static final String GONE = "it answered 410 Gone";

  void run(JobRun run) throws InterruptedException {
    MessageKey key = MessageKey.of(run.key());
    Optional<EndpointRow> found = endpoints.row(key.tenant(), key.endpoint());
    if (found.isEmpty()) {
      listener.on(new WebhookEvent.Dropped(key.tenant(), key.endpoint(), key.message()));
      return;
    }
    EndpointRow endpoint = found.get();
    if (endpoint.disabledAt().isPresent()) {
      throw waiting(run, "its endpoint is disabled: " + endpoint.disabledReason().orElse(""));
    }
    Target target = open(run, endpoint);
    if (run.leaseLost()) { // Another worker may be sending a later message by now.
      throw new JobException.Snooze("its lease was lost", Duration.ZERO);
    }
    long started = System.nanoTime();
    PostResult result = post.send(target, key.message(), run.payload());
    if (result instanceof PostResult.Accepted) {
      Duration took = Duration.ofNanos(System.nanoTime() - started);
      accepted(run, key, endpoint, took);
    } else if (result instanceof PostResult.Gone) {
      throw gone(run, key, endpoint);
    } else if (result instanceof PostResult.Failed it) {
      throw failed(run, key, endpoint, it);
    } else {
      throw new AssertionError("unhandled result " + result);
    }
  }

  private Target open(JobRun run, EndpointRow endpoint) {
    try {
      return endpoints.target(endpoint);
    } catch (UnreadableOutcomeException e) {
      throw waiting(run, String.valueOf(e.getMessage())); // Another process may have the key.
    }
  }

  private void accepted(JobRun run, MessageKey key, EndpointRow endpoint, Duration took) {
    listener.on(
        new WebhookEvent.Delivered(
            key.tenant(), key.endpoint(), key.message(), run.attempt(), took));
    try {
      endpoints.succeeded(endpoint);
    } catch (StoreException e) {
      // The message must not be sent again for this. The next success notes it.
    }
  }

  private JobException gone(JobRun run, MessageKey key, EndpointRow endpoint) {
    tellFailure(run, key, GONE);
    if (!endpoints.gone(endpoint, GONE)) { // It was changed meanwhile, perhaps its URL.
      return new JobException.Retry(GONE, backoff.delayAfter(run.attempt(), Optional.empty()));
    }
    listener.on(new WebhookEvent.Disabled(key.tenant(), key.endpoint(), GONE));
    return waiting(run, GONE);
  }

  private JobException failed(
      JobRun run, MessageKey key, EndpointRow endpoint, PostResult.Failed failure) {
    tellFailure(run, key, failure.reason());
    Optional<String> disabled = endpoints.failed(endpoint, failure.reason(), disableAfter);
    if (disabled.isPresent()) {
      listener.on(new WebhookEvent.Disabled(key.tenant(), key.endpoint(), disabled.get()));
      return waiting(run, disabled.get());
    }
    return new JobException.Retry(
        failure.reason(), backoff.delayAfter(run.attempt(), failure.retryAfter()));
  }

  private void tellFailure(JobRun run, MessageKey key, String reason) {
    listener.on(
        new WebhookEvent.Failed(
            key.tenant(), key.endpoint(), key.message(), run.attempt(), reason));
  }

  /**
   * Returns what keeps the message without counting an attempt, or makes it a dead letter if it has
   * waited for too long: it is never lost without a word.
   */
  private JobException waiting(JobRun run, String reason) {
    Duration age = Duration.between(run.enqueuedAt(), clock.instant());
    if (age.compareTo(maxWait) >= 0) {
      return new JobException.GiveUp("it waited for %s: %s".formatted(maxWait, reason));
    }
    long spread = ThreadLocalRandom.current().nextLong(WAIT.toMillis() / 2);
    return new JobException.Snooze(reason, WAIT.plusMillis(spread));
  }
}
