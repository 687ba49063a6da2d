package dev.once.examples.planning;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Asks again and again, with an end. */
final class Polling {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(20);

  private Polling() {}

  /** The first answer that is wanted. */
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
