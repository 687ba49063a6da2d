package dev.once.events;

import dev.once.events.ClaimAnswer.Claimed;
import dev.once.internal.LeaseState;
import java.time.Duration;

/** A claimed event and its lease, as the consumer that claimed it knows them. */
final class EventLease extends LeaseState {
  private final PendingEvent pending;
  private final Claimed claim;

  EventLease(PendingEvent pending, Claimed claim, long sentNanos, Duration lease) {
    super(sentNanos, lease);
    this.pending = pending;
    this.claim = claim;
  }

  PendingEvent pending() {
    return pending;
  }

  Event event() {
    return pending.event();
  }

  Claimed claim() {
    return claim;
  }

  long fence() {
    return claim.fence();
  }

  int attempt() {
    return claim.attempt();
  }
}
