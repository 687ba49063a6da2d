package dev.once;

import dev.once.spi.Claim;
import org.jspecify.annotations.Nullable;

/**
 * Executes an effect under a grant: one way for leases, one for the caller's transaction. {@code
 * sentNanos} is the moment before the claim was sent.
 */
interface Runner {
  <T extends @Nullable Object, X extends Exception> Result<T> execute(
      Claim.Granted grant, long sentNanos, Request<T> request, Effect<T, X> effect) throws X;

  /**
   * Finds out what an earlier owner left behind, and executes the effect only if it was nothing.
   */
  <T extends @Nullable Object, X extends Exception> Result<T> reconcile(
      Claim.Granted grant, long sentNanos, Request<T> request, Effect<T, X> effect) throws X;
}
