package dev.once.jobs;

import dev.once.internal.Limits;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The number of attempts, and the delays between them: they double after every attempt, and a
 * random part of up to half is added, so that jobs that failed together are not retried together.
 * Immutable; {@code RetryPolicy.DEFAULT.withTries(3)}.
 */
public final class RetryPolicy {
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(5, Duration.ofSeconds(1), Duration.ofHours(1));

  public static final int MAX_TRIES = 10_000;

  private final int tries;
  private final Duration firstDelay;
  private final Duration maxDelay;

  private RetryPolicy(int tries, Duration firstDelay, Duration maxDelay) {
    Limits.range("tries", tries, 1, MAX_TRIES);
    if (firstDelay.isNegative() || maxDelay.compareTo(firstDelay) < 0) {
      throw new IllegalArgumentException(
          "delays must be PT0S or more and the first at most the longest, got %s and %s"
              .formatted(firstDelay, maxDelay));
    }
    Limits.range("longest delay", maxDelay, Duration.ZERO, Job.MAX_DELAY);
    this.tries = tries;
    this.firstDelay = firstDelay;
    this.maxDelay = maxDelay;
  }

  /** Returns the maximum number of attempts. */
  public int tries() {
    return tries;
  }

  /** Returns the delay before the second attempt. */
  public Duration firstDelay() {
    return firstDelay;
  }

  /** Returns the longest delay, before the random part is added. */
  public Duration maxDelay() {
    return maxDelay;
  }

  public RetryPolicy withTries(int tries) {
    return new RetryPolicy(tries, firstDelay, maxDelay);
  }

  public RetryPolicy withDelays(Duration first, Duration max) {
    return new RetryPolicy(tries, first, max);
  }

  /** Returns the delay after {@code attempt} attempts. */
  Duration delayAfter(int attempt) {
    Duration delay = firstDelay;
    for (int i = 1; i < attempt && delay.compareTo(maxDelay) < 0; i++) {
      delay = delay.multipliedBy(2);
    }
    long nanos = (delay.compareTo(maxDelay) < 0 ? delay : maxDelay).toNanos();
    return Duration.ofNanos(nanos + ThreadLocalRandom.current().nextLong(nanos / 2 + 1));
  }
}
