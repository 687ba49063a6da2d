package dev.once.client;

import java.time.Duration;
import java.time.Instant;

/**
 * An operation that this sender may send until its lease ends. Every change names the fence, so
 * that a sender that was paused for longer changes nothing.
 *
 * @param wasSent whether an earlier attempt may have reached the server
 * @param hasSucceeded whether the same key was successful before
 * @param credentials the number of changes of credentials before the claim
 */
record Claim(
    QueuedOperation queued,
    String target,
    long fence,
    int unanswered,
    boolean wasSent,
    boolean hasSucceeded,
    long credentials,
    Instant claimedAt,
    long claimedNanos) {
  Operation operation() {
    return queued.operation();
  }

  Claim withSuccess() {
    return new Claim(
        queued, target, fence, unanswered, wasSent, true, credentials, claimedAt, claimedNanos);
  }

  /** The lease was prolonged now. */
  Claim renewed() {
    return new Claim(
        queued,
        target,
        fence,
        unanswered,
        wasSent,
        hasSucceeded,
        credentials,
        Instant.now(),
        System.nanoTime());
  }

  /** Returns whether more time has passed since the claim than {@code margin}, by any clock. */
  boolean isOlderThan(Duration margin) {
    // The monotonic clock may stand still while the device sleeps; the other one may be set.
    Duration byClock = Duration.between(claimedAt, Instant.now());
    return System.nanoTime() - claimedNanos > margin.toNanos()
        || byClock.isNegative()
        || byClock.compareTo(margin) > 0;
  }
}
