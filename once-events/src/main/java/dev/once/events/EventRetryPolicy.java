package dev.once.events;

import dev.once.internal.Limits;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The number of attempts at an event, the delays between them, and what happens after the last one.
 * Delays double after every attempt, and a random part of up to half is added, so that events that
 * failed together are not retried together. Later events of the same aggregate wait meanwhile.
 * Immutable; {@code EventRetryPolicy.SKIP.withAttempts(3)}.
 */
public final class EventRetryPolicy {
  public static final int DEFAULT_ATTEMPTS = 5;
  public static final int MAX_ATTEMPTS = 10_000;
  public static final Duration MAX_DELAY = Duration.ofHours(24);

  /** Five attempts; then the event is skipped. */
  public static final EventRetryPolicy SKIP =
      new EventRetryPolicy(
          DEFAULT_ATTEMPTS, Duration.ofSeconds(1), Duration.ofMinutes(1), Optional.empty());

  private final int attempts;
  private final Duration firstDelay;
  private final Duration maxDelay;
  private final Optional<DeadLetterSink> sink;

  private EventRetryPolicy(
      int attempts, Duration firstDelay, Duration maxDelay, Optional<DeadLetterSink> sink) {
    Limits.range("attempts", attempts, 1, MAX_ATTEMPTS);
    Limits.range("longest delay", maxDelay, Duration.ZERO, MAX_DELAY);
    Limits.range("first delay", firstDelay, Duration.ZERO, maxDelay);
    this.attempts = attempts;
    this.firstDelay = firstDelay;
    this.maxDelay = maxDelay;
    this.sink = sink;
  }

  /** Five attempts; then the event goes to {@code sink}, and is dead when that has succeeded. */
  public static EventRetryPolicy deadLetter(DeadLetterSink sink) {
    return new EventRetryPolicy(
        DEFAULT_ATTEMPTS, SKIP.firstDelay, SKIP.maxDelay, Optional.of(sink));
  }

  public EventRetryPolicy withAttempts(int attempts) {
    return new EventRetryPolicy(attempts, firstDelay, maxDelay, sink);
  }

  /** Sets the delay after the first attempt, and the longest one before the random part. */
  public EventRetryPolicy withDelays(Duration first, Duration max) {
    return new EventRetryPolicy(attempts, first, max, sink);
  }

  int attempts() {
    return attempts;
  }

  Optional<DeadLetterSink> sink() {
    return sink;
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
