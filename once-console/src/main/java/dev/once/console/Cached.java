package dev.once.console;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A value that is read at most once in ten seconds, however many pages ask for it. Thread-safe. */
final class Cached<T> {
  private static final long KEEP_NANOS = Duration.ofSeconds(10).toNanos();

  private final Supplier<T> source;
  private @Nullable T value;
  private long readAt;

  Cached(Supplier<T> source) {
    this.source = source;
  }

  synchronized T get() {
    T known = value;
    if (known != null && System.nanoTime() - readAt < KEEP_NANOS) {
      return known;
    }
    T fresh = source.get();
    value = fresh;
    readAt = System.nanoTime();
    return fresh;
  }
}
