package dev.once.http;

import dev.once.Key;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How long duplicates of requests in flight are told to wait: 2 seconds first, then twice as long
 * each time, up to half a minute. How long the first request will take is unknown; what is left of
 * its lease says nothing about that. Thread-safe.
 */
final class RetryDelays {
  private static final int FIRST_SECONDS = 2;
  private static final int MAX_SECONDS = 30;

  /** Bounds the memory: the delay of a key that is forgotten starts again. */
  private static final int MAX_KEYS = 1_000;

  /** The last delay of each key in seconds, in the order in which keys were last asked for. */
  private final Map<Key, Integer> last =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Integer> eldest) {
          return size() > MAX_KEYS;
        }
      };

  synchronized Duration next(Key key) {
    return Duration.ofSeconds(last.merge(key, FIRST_SECONDS, RetryDelays::longer));
  }

  private static int longer(int before, int first) {
    return Math.min(MAX_SECONDS, 2 * before);
  }
}
