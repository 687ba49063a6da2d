package dev.once.workflow;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Interrupts an effect that takes too long. */
final class StepDeadline {
  private static final int MAX_CAUSES = 100;

  private final Thread worker = Thread.currentThread();

  // Guarded by this.
  private boolean hasEnded;
  private boolean hasInterrupted;

  private StepDeadline() {}

  /** Runs {@code effect} on this thread; what it throws passes, unless its time was over. */
  static <T extends @Nullable Object> T run(
      RunSession session, Optional<Duration> time, Callable<T> effect) throws Exception {
    if (time.isEmpty()) {
      return effect.call();
    }
    StepDeadline deadline = new StepDeadline();
    Future<?> timer =
        session
            .engine()
            .deadlines()
            .schedule(deadline::interrupt, time.get().toNanos(), TimeUnit.NANOSECONDS);
    try {
      return effect.call();
    } catch (Exception e) {
      if (deadline.end()) {
        throw new DeadlineException(time.get(), e);
      }
      throw e;
    } finally {
      timer.cancel(false);
      boolean unused = deadline.end();
    }
  }

  /** An attempt was interrupted because it took too long. */
  private static final class DeadlineException extends Exception {
    private static final long serialVersionUID = 1L;

    DeadlineException(Duration time, Exception cause) {
      super("it was interrupted at its deadline of " + time + ": " + cause, cause);
    }
  }

  /**
   * Makes sure that the effect failed by itself.
   *
   * @throws Unwind if its worker stops, or its branch was abandoned: the attempt does not count
   */
  static void requireNoInterrupt(Throwable thrown) {
    if (isInterrupt(thrown)) {
      throw Unwind.brokenBy(thrown);
    }
  }

  /** Returns whether the thread was interrupted, other than by a deadline. */
  static boolean isInterrupt(Throwable thrown) {
    return Thread.currentThread().isInterrupted() || hasInterruptedCause(thrown);
  }

  private static boolean hasInterruptedCause(Throwable thrown) {
    Throwable it = thrown;
    for (int depth = 0; it != null && depth < MAX_CAUSES; depth++) { // Causes may form a cycle.
      if (it instanceof DeadlineException) {
        return false;
      }
      if (it instanceof InterruptedException) {
        return true;
      }
      it = it.getCause();
    }
    return false;
  }

  private synchronized void interrupt() {
    if (!hasEnded) {
      hasInterrupted = true;
      worker.interrupt();
    }
  }

  /** Returns whether the deadline interrupted the effect, and clears that interrupt. */
  private synchronized boolean end() {
    if (!hasEnded) {
      hasEnded = true;
      if (hasInterrupted) {
        boolean unused = Thread.interrupted();
      }
    }
    return hasInterrupted;
  }
}
