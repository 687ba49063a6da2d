package dev.once.examples.payments;

import dev.once.NoAnswerException;
import dev.once.Result;
import dev.once.jobs.JobException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the engine's answers in a step. */
final class Answers {
  private static final Duration SOON = Duration.ofMillis(300);

  private Answers() {}

  /**
   * Returns the value of a completed effect; otherwise reschedules the step, because another call
   * is executing the effect or its outcome is unknown.
   */
  static <T> T value(Result<@Nullable T> result) {
    try {
      return Objects.requireNonNull(result.orThrow());
    } catch (NoAnswerException e) {
      throw new JobException.Snooze(result.getClass().getSimpleName(), SOON);
    }
  }
}
