package dev.once.jobs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler that knows better than its {@link RetryPolicy} what shall become of its job.
 * Every other exception means: try again, as long as there are tries left.
 */
public abstract sealed class JobException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private JobException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** The try failed and counts; the next one comes after a time of the handler's choice. */
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

  /** No further try can succeed: the job becomes a dead letter at once. */
  public static final class GiveUp extends JobException {
    private static final long serialVersionUID = 1L;

    public GiveUp(String reason) {
      this(reason, null);
    }

    public GiveUp(String reason, @Nullable Throwable cause) {
      super(reason, cause);
    }
  }

  /** Nothing failed, it is too early: the job comes back later, and this try does not count. */
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
