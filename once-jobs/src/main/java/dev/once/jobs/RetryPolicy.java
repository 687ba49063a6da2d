package dev.once.jobs;

import dev.once.spi.Limits;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How often a job is tried, and how long it waits in between: twice as long after every try, and up
 * to half as long again, so that jobs that failed together do not come back together.
 *
 * @param tries how many tries there are in all
 * @param firstDelay how long the second try waits
 * @param maxDelay the longest wait, before the random part is added
 */
public record RetryPolicy(int tries, Duration firstDelay, Duration maxDelay) {
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(5, Duration.ofSeconds(1), Duration.ofHours(1));

  public static final int MAX_TRIES = 10_000;

  public RetryPolicy {
    Limits.range("tries", tries, 1, MAX_TRIES);
    if (firstDelay.isNegative() || maxDelay.compareTo(firstDelay) < 0) {
      throw new IllegalArgumentException(
          "delays must be PT0S or more and the first at most the longest, got %s and %s"
              .formatted(firstDelay, maxDelay));
    }
    Limits.range("longest delay", maxDelay, Duration.ZERO, Job.MAX_DELAY);
  }

  public RetryPolicy withTries(int tries) {
    return new RetryPolicy(tries, firstDelay, maxDelay);
  }

  public RetryPolicy withDelays(Duration first, Duration max) {
    return new RetryPolicy(tries, first, max);
  }

  /** How long to wait after {@code attempt} tries. */
  Duration delayAfter(int attempt) {
    Duration delay = firstDelay;
    for (int i = 1; i < attempt && delay.compareTo(maxDelay) < 0; i++) {
      delay = delay.multipliedBy(2);
    }
    long nanos = (delay.compareTo(maxDelay) < 0 ? delay : maxDelay).toNanos();
    return Duration.ofNanos(nanos + ThreadLocalRandom.current().nextLong(nanos / 2 + 1));
  }
}
