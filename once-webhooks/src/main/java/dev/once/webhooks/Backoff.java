package dev.once.webhooks;

import dev.once.jobs.RetryPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** When a message is sent again: by the policy, or later if the receiver wants that. */
record Backoff(RetryPolicy retries) {
  /** A receiver that names a time is not called by all messages at that time. */
  private static final long MAX_SPREAD_NANOS = Duration.ofMinutes(1).toNanos();

  Duration delayAfter(int attempt, Optional<Duration> retryAfter) {
    Duration delay = retries.delayAfter(attempt);
    Duration wanted =
        retryAfter
            .map(it -> it.plusNanos(random(Math.min(it.toNanos(), MAX_SPREAD_NANOS))))
            .orElse(Duration.ZERO);
    return delay.compareTo(wanted) < 0 ? wanted : delay;
  }

  private static long random(long max) {
    return ThreadLocalRandom.current().nextLong(max + 1);
  }
}
