package dev.once.jobs;

import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler that decides what happens to its job, in place of its {@link RetryPolicy}.
 * Every other exception means that the attempt failed, and that the job is retried as long as it
 * has attempts left.
 */
public abstract sealed class JobException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private JobException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Handles every case. A new case becomes a new parameter, so the compiler finds each caller. */
  <R> R fold(
      Function<? super Retry, ? extends R> retry,
      Function<? super GiveUp, ? extends R> giveUp,
      Function<? super Snooze, ? extends R> snooze) {
    if (this instanceof Retry it) return retry.apply(it);
    if (this instanceof GiveUp it) return giveUp.apply(it);
    if (this instanceof Snooze it) return snooze.apply(it);
    throw new AssertionError("unhandled exception", this);
  }

  /** The attempt failed and counts; the next one follows after a delay that the handler chooses. */
  public static final class Retry extends JobException {
    private static final long serialVersionUID = 1L;
    private final Duration delay;

    public Retry(String reason, Duration delay) {
      this(reason, delay, null);
    }

    public Retry(String reason, Duration delay, @Nullable Throwable cause) {
      super(reason, cause);
      this.delay = Job.requireDelay(delay);
    }

    public Duration delay() {
      return delay;
    }
  }

  /** No further attempt can succeed: the job becomes a dead letter immediately. */
  public static final class GiveUp extends JobException {
    private static final long serialVersionUID = 1L;

    public GiveUp(String reason) {
      this(reason, null);
    }

    public GiveUp(String reason, @Nullable Throwable cause) {
      super(reason, cause);
    }
  }

  /**
   * Nothing failed, but it is too early: the job is rescheduled, and this run does not count as an
   * attempt.
   */
  public static final class Snooze extends JobException {
    private static final long serialVersionUID = 1L;
    private final Duration delay;

    public Snooze(String reason, Duration delay) {
      super(reason, null);
      this.delay = Job.requireDelay(delay);
    }

    public Duration delay() {
      return delay;
    }
  }
}
