package dev.once;

import java.time.Duration;

/**
 * Thrown for a {@link Result} that has no value: held, mismatched, uncertain or dropped. This call
 * did not execute the effect.
 */
public final class NoAnswerException extends OnceException {
  private static final long serialVersionUID = 1L;
  private final transient Result<?> result;

  NoAnswerException(Result<?> result) {
    super(describe(result), null);
    this.result = result;
  }

  public Result<?> result() {
    return result;
  }

  private static <T> String describe(Result<T> result) {
    return result.fold(
        it -> it.key() + " has a value",
        it -> it.key() + " has a value",
        it -> it.key() + " is held by another call; " + retryIn(it.leaseLeft()),
        it -> it.key() + " was first used for a different request; use a new key",
        it -> it.key() + " may have happened; reconcile it before any retry",
        it -> it.key() + " happened, but its answer of " + it.size() + " bytes was not kept");
  }

  private static String retryIn(Duration leaseLeft) {
    return leaseLeft.isZero() ? "retry soon" : "retry within " + leaseLeft;
  }
}
