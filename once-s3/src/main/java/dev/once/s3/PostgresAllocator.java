package dev.once.s3;

import dev.once.Fingerprint;
import dev.once.events.Aggregate;
import dev.once.events.AppendCondition;
import dev.once.events.EventData;
import dev.once.events.SequenceMode;
import dev.once.events.internal.PostgresSequences;
import dev.once.events.internal.Reservation;
import dev.once.events.internal.ReserveResult;
import dev.once.events.internal.ReservedSequences;
import java.time.Instant;

/** Reserves places in PostgreSQL, whose clock is the clock of the log. */
record PostgresAllocator(PostgresSequences sequences, LogObjects log) implements PlaceAllocator {
  /** How many expired reservations a reader settles before it reads. */
  private static final int SETTLED_AT_ONCE = 100;

  private static final int LISTED_AT_ONCE = 1000;

  @Override
  public ReserveResult reserve(
      EventData event, Fingerprint fingerprint, AppendCondition condition) {
    SequenceMode.POSTGRES.check(condition);
    return sequences.reserve(event, fingerprint, condition);
  }

  @Override
  public void release(String eventId, Place place) {
    sequences.release(place.reservedBy(eventId));
  }

  @Override
  public void discard(EventData event, Place place) {
    Reservation reservation = place.reservedBy(event.id());
    if (!sequences.giveBack(event.aggregate(), reservation)) {
      settle(reservation); // A later place of the aggregate is reserved: this one becomes a gap.
    }
  }

  /**
   * {@inheritDoc} An event that was written may still have its reservation, if its writer crashed
   * between the two.
   */
  @Override
  public long lastSequence(Aggregate aggregate) {
    ReservedSequences reserved = sequences.reserved(aggregate);
    long last = reserved.settled();
    if (last < reserved.last()) {
      for (long written : log.sequences(aggregate, last, LISTED_AT_ONCE)) {
        if (written != last + 1) {
          break;
        }
        last = written;
      }
    }
    return last;
  }

  @Override
  public boolean leavesOpenPlaces() {
    return true;
  }

  @Override
  public Instant settledBefore() {
    sequences.expired(SETTLED_AT_ONCE).forEach(this::settle);
    return sequences.settledBefore();
  }

  /** Puts a marker where an event should be by now, unless it is there. */
  private void settle(Reservation reservation) {
    log.abandon(reservation.eventId(), Place.of(reservation));
    sequences.release(reservation);
  }
}
