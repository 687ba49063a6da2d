package dev.once;

import org.jspecify.annotations.Nullable;

/** The result of {@link Once#begin}: an answer, or the right to execute. */
public sealed interface BeginResult<T extends @Nullable Object> {
  /** There is nothing to execute: {@code result} is never {@link Result.Executed}. */
  record Answered<T extends @Nullable Object>(Result<T> result) implements BeginResult<T> {}

  /**
   * The caller executes the effect, in any number of parts and on any number of threads, and then
   * reports its end, once: by {@link #complete}, {@link #release} or {@link #abandon}. Until then
   * the heartbeat renews the lease.
   */
  non-sealed interface Running<T extends @Nullable Object> extends BeginResult<T>, Execution {
    /** Executes a part on this thread, which is interrupted if the lease is lost meanwhile. */
    <R extends @Nullable Object, X extends Exception> R interruptibly(Effect<R, X> part) throws X;

    /**
     * Records the outcome of an effect that happened.
     *
     * @throws OutcomeUnknownException if the outcome could not be recorded
     * @throws LeaseLostException if another call took over before
     */
    void complete(T value);

    /** Releases the key after an effect that did not happen: the next call executes. */
    void release(Throwable cause);

    /** Ends an effect that may or may not have happened: the operation's recovery decides. */
    void abandon(Throwable cause);

    /**
     * Ends the heartbeat but not the grant: the effect has to be completed within the rest of its
     * lease. For callers that cannot rely on being called again.
     */
    void stopHeartbeat();
  }
}
