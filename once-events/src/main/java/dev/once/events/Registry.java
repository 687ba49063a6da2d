package dev.once.events;

import dev.once.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a consumer needs to know which events are handled. Thread-safe. */
interface Registry {
  /**
   * Answers each request, in the same order.
   *
   * @throws StoreException if there is no answer; the same requests may be sent again
   */
  List<ClaimAnswer> claim(List<EventClaimRequest> requests);

  /**
   * Settles events and advances the last sequences of their aggregates.
   *
   * @return an answer for each event whose newest claim is the given one; the leases of the others
   *     are lost
   * @throws StoreException if there is no answer; the same requests may be sent again
   */
  Map<EventLease, SettleAnswer> settle(List<SettleRequest> requests);

  /** Returns the length of a lease. */
  Duration lease();

  /**
   * The result of a renewal.
   *
   * @param renewed the leases that were renewed
   * @param held those, and the ones that are being settled: all others are lost
   */
  record Renewal(Set<EventLease> renewed, Set<EventLease> held) {}
}
