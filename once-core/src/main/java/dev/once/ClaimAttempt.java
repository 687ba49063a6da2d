package dev.once;

import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;

/**
 * A store's answer to a claim.
 *
 * @param claim the answer
 * @param sentNanos the moment before the claim was sent. A lease counted from there never looks
 *     longer to its owner than it is in the store
 * @param reconciling whether a grant is for reconciling an effect that an earlier owner left
 *     unfinished
 * @param permit the grant's place among the effects in flight
 */
record ClaimAttempt(Claim claim, long sentNanos, boolean reconciling, Permit permit) {
  /**
   * Claims the key. If it is uncertain and the request has a reconciler, claims it to reconcile.
   */
  static ClaimAttempt by(Request<?> request, ClaimSender claims) {
    ClaimRequest claimRequest = request.toClaim();
    long sent = System.nanoTime();
    Claim claim = claims.send(claimRequest);
    if (claim instanceof Claim.Uncertain && request.reconciler().isPresent()) {
      long sentAgain = System.nanoTime();
      Claim second = claims.send(claimRequest.withReconciling(true));
      return new ClaimAttempt(second, sentAgain, true, Permit.NONE);
    }
    return new ClaimAttempt(claim, sent, false, Permit.NONE);
  }

  ClaimAttempt with(Permit permit) {
    return new ClaimAttempt(claim, sentNanos, reconciling, permit);
  }
}
