package dev.once.http;

import dev.once.Result;
import org.jspecify.annotations.Nullable;

/** How a client is told that there is no answer for it now. */
final class NoAnswer {
  static final String IN_FLIGHT = "the first request with this key has not ended: try again later";

  private static final String INNER = "an operation that this request calls ";

  private NoAnswer() {}

  /** Returns the refusal for a result of an operation that has a key of its own. */
  static <T extends @Nullable Object> RefusedException innerRefusal(Result<T> result) {
    Refusal refusal = refusal(result).refusal();
    return new RefusedException(
        refusal,
        INNER
            + switch (refusal) {
              case IN_FLIGHT -> "is being executed by another one: try again later";
              case PAYLOAD_MISMATCH ->
                  "was first executed with other arguments: a new key does not change that";
              case UNCERTAIN -> "may have taken effect: find out before you try again";
              default -> "took effect, but its answer was too large to keep";
            });
  }

  /** Returns the refusal for a result that has no value. */
  static <T extends @Nullable Object> RefusedException refusal(Result<T> result) {
    return result.fold(
        executed -> {
          throw new AssertionError("answered " + executed.key());
        },
        replayed -> {
          throw new AssertionError("answered " + replayed.key());
        },
        held -> new RefusedException(Refusal.IN_FLIGHT, IN_FLIGHT),
        mismatched ->
            new RefusedException(
                Refusal.PAYLOAD_MISMATCH,
                "this key was first used for a different request: use a new one"),
        uncertain ->
            new RefusedException(
                Refusal.UNCERTAIN,
                "the first request may have taken effect: find out before you use a new key"),
        dropped ->
            new RefusedException(
                Refusal.ANSWER_NOT_KEPT,
                "the request took effect, but its answer of "
                    + dropped.size()
                    + " bytes was too large to keep: read the resource instead"));
  }
}
