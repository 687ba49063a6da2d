package dev.once.examples.payments;

import dev.once.NoAnswerException;
import dev.once.Result;
import dev.once.jobs.JobException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a run makes of the engine's answers. */
final class Answers {
  private static final Duration SOON = Duration.ofMillis(300);

  private Answers() {}

  /** What was done has a value; while somebody is at it, or nobody knows, the run comes back. */
  static <T> T value(Result<@Nullable T> result) {
    try {
      return Objects.requireNonNull(result.orThrow());
    } catch (NoAnswerException e) {
      throw new JobException.Snooze(result.getClass().getSimpleName(), SOON);
    }
  }
}
