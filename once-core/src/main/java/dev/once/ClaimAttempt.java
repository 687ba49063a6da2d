package dev.once;

import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;

/**
 * A store's answer to a request.
 *
 * @param claim the answer
 * @param sentNanos the moment before it was asked. A lease counted from there never looks longer to
 *     its owner than it is in the store
 * @param reconciling whether a grant is for finding out what an earlier owner left behind
 * @param permit the place among the effects in flight that a grant has
 */
record ClaimAttempt(Claim claim, long sentNanos, boolean reconciling, Permit permit) {
  /** Asks for the key, and for the right to reconcile it if it is uncertain and someone can. */
  static ClaimAttempt by(Request<?> request, ClaimSender claims) {
    ClaimRequest ask = request.toClaim();
    long sent = System.nanoTime();
    Claim claim = claims.send(ask, false);
    if (claim instanceof Claim.Uncertain && request.reconciler().isPresent()) {
      long sentAgain = System.nanoTime();
      return new ClaimAttempt(claims.send(ask, true), sentAgain, true, Permit.NONE);
    }
    return new ClaimAttempt(claim, sent, false, Permit.NONE);
  }

  ClaimAttempt with(Permit permit) {
    return new ClaimAttempt(claim, sentNanos, reconciling, permit);
  }
}
