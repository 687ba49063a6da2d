package dev.once.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A clock that stands still until a test moves it. Thread-safe: a read after an advance returns the
 * later time.
 */
public final class TestClock implements InstantSource {
  /** Where every clock starts: far from the system's time, so that confusing the two is noticed. */
  public static final Instant START = Instant.parse("2001-02-03T04:05:06.789Z");

  private final AtomicReference<Instant> now = new AtomicReference<>(START);

  @Override
  public Instant instant() {
    return now.get();
  }

  /** Moves this clock forward. Only {@link #set} can move it back. */
  public void advance(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("time to advance must not be negative, got " + time);
    }
    now.updateAndGet(it -> it.plus(time));
  }

  /** Moves this clock to any time, earlier ones included. */
  public void set(Instant time) {
    now.set(time);
  }
}
