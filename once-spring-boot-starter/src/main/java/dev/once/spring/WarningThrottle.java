package dev.once.spring;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.event.Level;

/** Lets a warning about the same thing appear once a minute: what fails is retried often. */
final class WarningThrottle {
  private static final Duration SILENCE = Duration.ofMinutes(1);

  private final Map<String, Long> warnedNanos = new ConcurrentHashMap<>();

  /** Returns the level of a warning; that for debugging if there was one a short time ago. */
  Level levelOf(String what) {
    long now = System.nanoTime();
    Long last = warnedNanos.get(what);
    if (last != null && now - last < SILENCE.toNanos()) {
      return Level.DEBUG;
    }
    warnedNanos.put(what, now);
    return Level.WARN;
  }
}
