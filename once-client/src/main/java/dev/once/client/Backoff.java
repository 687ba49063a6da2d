package dev.once.client;

import dev.once.internal.Limits;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Pauses between attempts: random, between a shortest one and a longest one that doubles with every
 * attempt up to a limit, so that clients that failed together do not come back together.
 *
 * @param shortest of every pause
 * @param first the longest pause after the first attempt
 * @param longest of every pause
 */
public record Backoff(Duration shortest, Duration first, Duration longest) {
  /** For calls whose user waits: 200 to 500 ms first, at most 5 s. */
  public static final Backoff INTERACTIVE =
      new Backoff(Duration.ofMillis(200), Duration.ofMillis(500), Duration.ofSeconds(5));

  private static final int MAX_DOUBLINGS = 30;

  public Backoff {
    Limits.range("first pause", first, shortest, longest);
    Limits.range("shortest pause", shortest, Duration.ZERO, first);
    Limits.range("longest pause", longest, first, Duration.ofDays(1));
  }

  /** Returns the pause after an attempt, whose number starts at 1. */
  public Duration after(int attempt, RandomGenerator random) {
    int doublings = Math.min(attempt - 1, MAX_DOUBLINGS);
    long limit = Math.min(longest.toNanos(), saturated(first.toNanos(), doublings));
    return Duration.ofNanos(random.nextLong(shortest.toNanos(), limit + 1));
  }

  private static long saturated(long nanos, int doublings) {
    return nanos > Long.MAX_VALUE >> doublings ? Long.MAX_VALUE : nanos << doublings;
  }
}
