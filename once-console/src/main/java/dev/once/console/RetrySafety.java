package dev.once.console;

import dev.once.UnreadableOutcomeException;
import dev.once.jobs.DeadLetter;
import dev.once.spi.RecordStore;
import dev.once.spi.RecordView;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * What is known of the effects of a dead letter's attempts, and from where.
 *
 * @param evidence what it was read from, in words
 */
record RetrySafety(Effect effect, String evidence) {
  /** What a retry meets. */
  enum Effect {
    /** A retry executes it for the first time. */
    NO_EFFECT,
    /** A retry finds it done, and does not execute it again. */
    DONE,
    /** A retry may repeat it: find out first. */
    UNKNOWN;

    String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  static RetrySafety of(DeadLetter letter, Optional<? extends RecordStore> records, Instant now) {
    if (letter.forgetAt().isEmpty()) {
      return new RetrySafety(
          Effect.NO_EFFECT,
          "Its handler writes in a transaction, and the transactions of failed attempts are rolled back.");
    }
    if (!letter.forgetAt().get().isAfter(now)) {
      return new RetrySafety(
          Effect.UNKNOWN,
          "The records of its attempts may be gone since %s. It can only be repeated."
              .formatted(letter.forgetAt().get()));
    }
    if (records.isEmpty()) {
      return new RetrySafety(Effect.UNKNOWN, "This console cannot read records.");
    }
    try {
      return records
          .get()
          .find(letter.key().toKey())
          .map(RetrySafety::of)
          .orElseGet(
              () ->
                  new RetrySafety(
                      Effect.UNKNOWN, "There is no record of its key: its handler keeps none."));
    } catch (UnreadableOutcomeException e) {
      return new RetrySafety(
          Effect.DONE, "The record of its key has an outcome, which is sealed for this process.");
    }
  }

  private static RetrySafety of(RecordView record) {
    return switch (record.state()) {
      case COMPLETED -> new RetrySafety(Effect.DONE, "The record of its key says: completed.");
      case FAILED ->
          new RetrySafety(
              Effect.DONE,
              "The record of its key says: failed for good. A retry gets the same failure.");
      case OPEN ->
          new RetrySafety(
              Effect.NO_EFFECT,
              "Its last attempt released the key: it said that the effect did not happen.");
      case IN_PROGRESS ->
          new RetrySafety(
              Effect.UNKNOWN,
              "The record of its key is in progress: an attempt runs, or ended without an answer.");
      case UNCERTAIN ->
          new RetrySafety(
              Effect.UNKNOWN,
              "The record of its key is uncertain: an attempt ended without an answer. Settle it first.");
    };
  }
}
