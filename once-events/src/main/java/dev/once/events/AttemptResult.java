package dev.once.events;

import java.time.Duration;
import java.util.Optional;

/**
 * How the attempt of a claim ended, as it is written to the registry.
 *
 * @param state the state that the event gets
 * @param counts whether the attempt counts; if not, the event was released
 * @param delay the time until the next attempt
 */
record AttemptResult(
    ProcessedState state, boolean counts, Duration delay, Optional<String> reason) {
  static final AttemptResult DONE =
      new AttemptResult(ProcessedState.DONE, true, Duration.ZERO, Optional.empty());

  static AttemptResult failed(Duration delay, String reason) {
    return new AttemptResult(ProcessedState.FAILED, true, delay, Optional.of(reason));
  }

  static AttemptResult released(Duration delay, String reason) {
    return new AttemptResult(ProcessedState.FAILED, false, delay, Optional.of(reason));
  }

  static AttemptResult givenUp(ProcessedState state, String reason) {
    return new AttemptResult(state, true, Duration.ZERO, Optional.of(reason));
  }

  /** Returns the word by which the statement knows it. */
  String word() {
    return counts ? state.column() : "released";
  }
}
