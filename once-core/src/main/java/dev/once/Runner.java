package dev.once;

import dev.once.spi.Claim;
import org.jspecify.annotations.Nullable;

/**
 * Executes an effect under a grant: one implementation for leases, one for the caller's
 * transaction. {@code sentNanos} is the moment before the claim was sent.
 */
interface Runner {
  <T extends @Nullable Object, X extends Exception> Result<T> execute(
      Claim.Granted grant, long sentNanos, Request<T> request, Effect<T, X> effect) throws X;

  /** Finds out whether an earlier owner's effect happened, and executes it only if it did not. */
  <T extends @Nullable Object, X extends Exception> Result<T> reconcile(
      Claim.Granted grant, long sentNanos, Request<T> request, Effect<T, X> effect) throws X;
}
