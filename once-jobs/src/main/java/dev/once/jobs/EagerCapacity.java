package dev.once.jobs;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Decides how many jobs of a queue this process may enqueue as leased to itself: as many as a claim
 * would bring, as long as the queue has no backlog, whose jobs would wait behind them.
 *
 * <p>A queue has no backlog if the last claim brought fewer jobs than it could. That is believed
 * for {@link #SHORT_TIME} at most, since a notification of new jobs may be lost. From a
 * notification until the next claim, half of the places are left to that claim. Thread-safe.
 */
final class EagerCapacity {
  private static final Duration SHORT_TIME = Duration.ofSeconds(2);

  /** Nothing tells of a rollback: after this time a reservation does not count any more. */
  private static final Duration RESERVED_TIME = Duration.ofSeconds(1);

  private final LongSupplier nanoTime;

  // Guarded by this.
  private final Set<EagerReservation> reserved = new LinkedHashSet<>();
  private long reservedBytes;
  private long wakes;
  private long claimedWakes;
  private boolean hasBacklog = true;
  private long claimedNanos;

  EagerCapacity(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Records that the queue may have new ready jobs. */
  synchronized void woken() {
    wakes++;
  }

  /** Must be called before a claim is sent; returns what {@link #claimed} takes. */
  synchronized long wakes() {
    return wakes;
  }

  /** Records whether a claim may have left ready jobs. */
  synchronized void claimed(long wakesBefore, boolean mayHaveMore) {
    claimedWakes = wakesBefore;
    hasBacklog = mayHaveMore;
    claimedNanos = nanoTime.getAsLong();
  }

  /**
   * Reserves a place, if there is one.
   *
   * @param places how many jobs the process may hold
   * @param held how many it holds, besides those with a reservation
   * @param bytesLeft how many more bytes of payload it may hold
   */
  synchronized Optional<EagerReservation> reserve(
      QueueRunner runner, int places, int held, long bytesLeft, int bytes) {
    long now = nanoTime.getAsLong();
    if (hasBacklog || now - claimedNanos > SHORT_TIME.toNanos()) {
      return Optional.empty();
    }
    forgetOlderThan(now - RESERVED_TIME.toNanos());
    int mine = wakes == claimedWakes ? places : places / 2;
    if (held + reserved.size() >= mine || reservedBytes + bytes > bytesLeft) {
      return Optional.empty();
    }
    EagerReservation reservation = new EagerReservation(runner, now, bytes);
    reserved.add(reservation);
    reservedBytes += bytes;
    return Optional.of(reservation);
  }

  synchronized void release(EagerReservation reservation) {
    if (reserved.remove(reservation)) {
      reservedBytes -= reservation.bytes();
    }
  }

  private void forgetOlderThan(long nanos) {
    Iterator<EagerReservation> oldest = reserved.iterator();
    while (oldest.hasNext()) {
      EagerReservation reservation = oldest.next();
      if (reservation.sentNanos() - nanos >= 0) {
        return;
      }
      oldest.remove();
      reservedBytes -= reservation.bytes();
    }
  }
}
