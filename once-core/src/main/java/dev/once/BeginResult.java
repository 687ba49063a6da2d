package dev.once;

import org.jspecify.annotations.Nullable;

/** What {@link Once#begin} gives: an answer, or the right to execute. */
public sealed interface BeginResult<T extends @Nullable Object> {
  /** There is nothing to execute: {@code result} is never {@link Result.Executed}. */
  record Answered<T extends @Nullable Object>(Result<T> result) implements BeginResult<T> {}

  /**
   * The caller executes the effect, in as many parts and on as many threads as it likes, and then
   * says how it ended, once: by {@link #complete}, {@link #release} or {@link #abandon}. Until then
   * the heartbeat renews the lease.
   */
  non-sealed interface Running<T extends @Nullable Object> extends BeginResult<T>, Execution {
    /** Executes a part on this thread, which is interrupted if the lease is lost meanwhile. */
    <R extends @Nullable Object, X extends Exception> R interruptibly(Effect<R, X> part) throws X;

    /**
     * The effect happened: its outcome is recorded.
     *
     * @throws OutcomeUnknownException if it could not be recorded
     * @throws LeaseLostException if another call took over before
     */
    void complete(T value);

    /** The effect did not happen: the next call executes. */
    void release(Throwable cause);

    /** Nobody can tell whether the effect happened: the recovery of the operation decides. */
    void abandon(Throwable cause);

    /**
     * Ends the heartbeat but not the grant: the effect has to be completed within what is left of
     * its lease. For callers that cannot be sure to be called again.
     */
    void stopHeartbeat();
  }
}
