package dev.once.events;

import java.time.Duration;
import java.util.Optional;

/** What a registry answers to a {@link EventClaimRequest}. */
sealed interface ClaimAnswer {
  /**
   * The caller may handle the event until its lease ends.
   *
   * @param fence higher than that of every earlier claim of the event
   * @param attempt from 1 on
   * @param error why the attempt before failed; empty if there was none, or its lease ended
   */
  record Claimed(long fence, int attempt, Optional<String> error) implements ClaimAnswer {}

  /** The event is handled, skipped or dead. */
  record Finished(ProcessedState state) implements ClaimAnswer {}

  /** The handler is at the event's sequence or further. */
  record Stale() implements ClaimAnswer {}

  /** Another claim has the event, for {@code left} unless it is renewed or settled. */
  record Busy(Duration left) implements ClaimAnswer {}

  /** The next attempt is due after {@code delay}. */
  record Later(Duration delay) implements ClaimAnswer {}

  /** Another claim has an event of its aggregate, or an earlier one is to be retried. */
  record Blocked() implements ClaimAnswer {}

  /** The handler needs every event, and the one before this one has not been handled. */
  record Gap() implements ClaimAnswer {}
}
