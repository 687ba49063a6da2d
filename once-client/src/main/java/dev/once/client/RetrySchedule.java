package dev.once.client;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** When the attempts at one operation follow each other, and when they end. */
final class RetrySchedule {
  private final RetryRules rules;
  private final long endNanos;
  private int attempts;

  RetrySchedule(RetryRules rules, Duration deadline) {
    this.rules = rules;
    this.endNanos = System.nanoTime() + deadline.toNanos();
  }

  /** Returns how long is left until the deadline; not negative. */
  Duration left() {
    return Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
  }

  /** Returns the pause before the next attempt at a request; empty if there is none. */
  Optional<Duration> pauseAfter(String method, AttemptOutcome outcome) {
    return rules.decide(method, outcome) instanceof Decision.Retry retry
        ? pauseAfterAttempt(retry.atLeast())
        : Optional.empty();
  }

  /**
   * Returns the pause before the next attempt; empty if the attempts are used up or the pause would
   * outlast the deadline.
   *
   * @param atLeast the pause that the server asks for
   */
  Optional<Duration> pauseAfterAttempt(Duration atLeast) {
    attempts++;
    if (attempts >= rules.maxAttempts()) {
      return Optional.empty();
    }
    Duration jittered = rules.backoff().after(attempts, ThreadLocalRandom.current());
    Duration pause = atLeast.compareTo(jittered) > 0 ? atLeast : jittered;
    return pause.compareTo(left()) < 0 ? Optional.of(pause) : Optional.empty();
  }
}
