package dev.once.webhooks;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Polls until a condition holds or the time is up. */
final class Polling {
  static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(10);

  private Polling() {}

  /** Returns the first answer that is wanted. */
  static <T> T until(Supplier<T> question, Predicate<T> wanted) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    T answer = question.get();
    while (!wanted.test(answer)) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("after " + PATIENCE + " it is still " + answer);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
      answer = question.get();
    }
    return answer;
  }
}
