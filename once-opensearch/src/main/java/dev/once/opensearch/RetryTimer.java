package dev.once.opensearch;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Measures the pauses between the tries of a request, until their time is over. */
final class RetryTimer {
  /** Longer than the restart of a node or the change of an alias; then the caller decides. */
  static final Duration DEFAULT_LIMIT = Duration.ofSeconds(30);

  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long MAX_PAUSE_MILLIS = 2000;

  private final long deadline;
  private long pauseMillis = FIRST_PAUSE_MILLIS;

  RetryTimer(Duration limit) {
    this.deadline = System.nanoTime() + limit.toNanos();
  }

  /** Waits, longer each time and with a random part; returns false if no time is left. */
  boolean pause() throws InterruptedException {
    if (System.nanoTime() - deadline >= 0) {
      return false;
    }
    Thread.sleep(pauseMillis / 2 + ThreadLocalRandom.current().nextLong(pauseMillis));
    pauseMillis = Math.min(2 * pauseMillis, MAX_PAUSE_MILLIS);
    return true;
  }
}
