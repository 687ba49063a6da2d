package dev.once.events;

import dev.once.OnceException;
import dev.once.internal.Limits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by an effect whose other system asked for a delay, such as by {@code Retry-After}. The
 * attempt has failed; the next one follows after that delay, or the policy's if that is longer.
 */
public final class RetryLaterException extends OnceException {
  private static final long serialVersionUID = 1L;

  public static final Duration MAX_DELAY = Duration.ofHours(1);

  private final Duration delay;

  /**
   * @param delay at most {@link #MAX_DELAY}: later events of the aggregate wait too
   */
  public RetryLaterException(String message, @Nullable Throwable cause, Duration delay) {
    super(message, cause);
    Limits.range("delay", delay, Duration.ZERO, MAX_DELAY);
    this.delay = delay;
  }

  public Duration delay() {
    return delay;
  }
}
