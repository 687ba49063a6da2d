package dev.once.http;

import dev.once.Key;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How long duplicates of a request in flight are told to wait: 2 seconds, and as much more as the
 * time since the first of them, up to half a minute. A client that obeys waits twice as long each
 * time; copies that arrive together are all told 2 seconds. How long the first request will take is
 * unknown, and what is left of its lease says nothing about that. Thread-safe.
 */
final class RetryDelays {
  private static final long FIRST_SECONDS = 2;
  private static final long MAX_SECONDS = 30;

  /** A key of which no duplicate came in this time is in flight anew. */
  private static final long FORGOTTEN_SECONDS = 2 * MAX_SECONDS;

  /** Bounds the memory: the delay of a key that is forgotten starts again. */
  private static final int MAX_KEYS = 1_000;

  private final LongSupplier nanoClock;

  /** The duplicates of each key, in the order in which keys were last refused. */
  private final Map<Key, Refusals> keys =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Refusals> eldest) {
          return size() > MAX_KEYS;
        }
      };

  RetryDelays(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** When the first and the last duplicate of a key were refused. */
  private record Refusals(long firstNanos, long lastNanos) {}

  synchronized Duration next(Key key) {
    long now = nanoClock.getAsLong();
    Refusals before = keys.get(key);
    long first = now;
    if (before != null && secondsSince(before.lastNanos, now) <= FORGOTTEN_SECONDS) {
      first = before.firstNanos;
    }
    keys.put(key, new Refusals(first, now));
    return Duration.ofSeconds(Math.min(MAX_SECONDS, FIRST_SECONDS + secondsSince(first, now)));
  }

  private static long secondsSince(long nanos, long now) {
    return TimeUnit.NANOSECONDS.toSeconds(now - nanos);
  }
}
