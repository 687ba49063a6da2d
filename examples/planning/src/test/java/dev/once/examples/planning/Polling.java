package dev.once.examples.planning;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Polls a value, with a time limit. */
final class Polling {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(20);

  private Polling() {}

  /** Returns the first wanted value. */
  static <T> T until(Supplier<T> question, Predicate<T> wanted) {
    Instant end = Instant.now().plus(PATIENCE);
    T answer = question.get();
    while (!wanted.test(answer)) {
      if (Instant.now().isAfter(end)) {
        throw new AssertionError("after " + PATIENCE + " it is still " + answer);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
      answer = question.get();
    }
    return answer;
  }
}
