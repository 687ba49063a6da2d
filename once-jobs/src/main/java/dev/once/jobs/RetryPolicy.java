package dev.once.jobs;

import dev.once.internal.Limits;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The number of attempts, and the delays between them: they double after every attempt, and a
 * random part of up to half is added, so that jobs that failed together are not retried together.
 * Immutable; {@code RetryPolicy.DEFAULT.withAttempts(3)}.
 */
public final class RetryPolicy {
  /** Retries for about two weeks, in the end twice a day: an outage may last a long weekend. */
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(40, Duration.ofSeconds(1), Duration.ofHours(12));

  /** Gives up after five attempts in about 20 seconds: for work that is worthless later. */
  public static final RetryPolicy SHORT =
      new RetryPolicy(5, Duration.ofSeconds(1), Duration.ofHours(1));

  public static final int MAX_ATTEMPTS = 10_000;

  private final int attempts;
  private final Duration firstDelay;
  private final Duration maxDelay;

  private RetryPolicy(int attempts, Duration firstDelay, Duration maxDelay) {
    Limits.range("attempts", attempts, 1, MAX_ATTEMPTS);
    if (firstDelay.isNegative() || maxDelay.compareTo(firstDelay) < 0) {
      throw new IllegalArgumentException(
          "delays must be PT0S or more and the first at most the longest, got %s and %s"
              .formatted(firstDelay, maxDelay));
    }
    Limits.range("longest delay", maxDelay, Duration.ZERO, Job.MAX_DELAY);
    this.attempts = attempts;
    this.firstDelay = firstDelay;
    this.maxDelay = maxDelay;
  }

  /** Returns the maximum number of attempts. */
  public int attempts() {
    return attempts;
  }

  /** Returns the delay before the second attempt. */
  public Duration firstDelay() {
    return firstDelay;
  }

  /** Returns the longest delay, before the random part is added. */
  public Duration maxDelay() {
    return maxDelay;
  }

  public RetryPolicy withAttempts(int attempts) {
    return new RetryPolicy(attempts, firstDelay, maxDelay);
  }

  public RetryPolicy withDelays(Duration first, Duration max) {
    return new RetryPolicy(attempts, first, max);
  }

  /** Returns the delay after {@code attempt} attempts, a random part included. */
  public Duration delayAfter(int attempt) {
    Duration delay = firstDelay;
    for (int i = 1; i < attempt && delay.compareTo(maxDelay) < 0; i++) {
      delay = delay.multipliedBy(2);
    }
    long nanos = (delay.compareTo(maxDelay) < 0 ? delay : maxDelay).toNanos();
    return Duration.ofNanos(nanos + ThreadLocalRandom.current().nextLong(nanos / 2 + 1));
  }
}
