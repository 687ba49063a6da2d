package dev.once.bench;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One life of some workflows of a hundred steps. The first life ends after {@link #STEPS_BEFORE}
 * steps, as if the process had crashed; the second one runs the workflows from their first line and
 * measures the time until they have reached the step where the first life ended.
 */
final class Life {
  static final int STEPS_BEFORE = 90;

  /** For workflows that are not interrupted. */
  static final Life NONE = second(0, "");

  private static final long PATIENCE_SECONDS = 120;
  private static final long NOT_YET = 0;

  private final boolean ends;
  private final String input;
  private final CountDownLatch there;
  private final AtomicLong begin = new AtomicLong(NOT_YET);
  private volatile long end;

  private Life(boolean ends, int workflows, String input) {
    this.ends = ends;
    this.input = input;
    this.there = new CountDownLatch(workflows);
  }

  /** Creates a life that ends early; {@code input} is the input of the first step. */
  static Life first(int workflows, String input) {
    return new Life(true, workflows, input);
  }

  static Life second(int workflows, String input) {
    return new Life(false, workflows, input);
  }

  String input() {
    return input;
  }

  /** Returns the result of the first step, if it runs in this life. */
  String text() {
    return "made of " + input;
  }

  boolean ends() {
    return ends;
  }

  /** Called at the first line of a workflow. */
  void begin() {
    begin.compareAndSet(NOT_YET, System.nanoTime());
  }

  /** Called when a workflow has reached the step after {@link #STEPS_BEFORE}. */
  void there() {
    end = System.nanoTime();
    there.countDown();
  }

  void awaitAllThere() throws InterruptedException {
    if (!there.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException(there.getCount() + " workflows did not get there");
    }
  }

  double seconds() {
    return (end - begin.get()) / 1e9;
  }
}
