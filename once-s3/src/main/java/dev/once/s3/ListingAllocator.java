package dev.once.s3;

import dev.once.Fingerprint;
import dev.once.events.Aggregate;
import dev.once.events.AppendCondition;
import dev.once.events.EventData;
import dev.once.events.SequenceMode;
import dev.once.events.internal.Reservation;
import dev.once.events.internal.ReserveResult;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Takes the sequence after the last one that is listed, or the one that the caller gives, and the
 * time of this node. Nothing is reserved: the first event at a place has it.
 *
 * @param readDelay how long after its time an event is in the log, as far as that can be known
 */
record ListingAllocator(LogObjects log, SequenceMode mode, Clock clock, Duration readDelay)
    implements PlaceAllocator {
  private static final int LISTED_AT_ONCE = 1000;

  @Override
  public ReserveResult reserve(
      EventData event, Fingerprint fingerprint, AppendCondition condition) {
    mode.check(condition);
    String aggregate = event.aggregate().key();
    if (mode == SequenceMode.OFF) {
      long given = condition.given().orElseThrow();
      return new ReserveResult.Reserved(new Reservation(event.id(), aggregate, given, now()));
    }
    long last = lastSequence(event.aggregate());
    if (condition.expected().isPresent() && condition.expected().getAsLong() != last) {
      return new ReserveResult.Conflict(last);
    }
    return new ReserveResult.Reserved(
        new Reservation(event.id(), aggregate, last + 1, timeAfter(aggregate, last)));
  }

  @Override
  public void release(String eventId, Place place) {}

  @Override
  public void discard(EventData event, Place place) {}

  /**
   * {@inheritDoc} Names are listed from the first one on. To find the last of many, this looks in
   * turn at the next ones and at one far ahead, before the nearest one that had none behind it.
   */
  @Override
  public long lastSequence(Aggregate aggregate) {
    long last = 0;
    long end = Long.MAX_VALUE;
    while (true) {
      List<Long> next = log.sequences(aggregate, last, LISTED_AT_ONCE);
      last = next.isEmpty() ? last : next.get(next.size() - 1);
      if (next.size() < LISTED_AT_ONCE) {
        return last;
      }
      long ahead = last > end / 2 ? last + (end - last) / 2 : last * 2;
      List<Long> behind = log.sequences(aggregate, ahead, 1);
      if (behind.isEmpty()) {
        end = ahead;
      } else {
        last = behind.get(0);
      }
    }
  }

  @Override
  public boolean leavesOpenPlaces() {
    return false;
  }

  @Override
  public Instant settledBefore() {
    return now().minus(readDelay);
  }

  /** Returns a time after that of the last event, also if another node's clock is ahead. */
  private Instant timeAfter(String aggregate, long last) {
    Instant now = now();
    if (last == 0) {
      return now;
    }
    return log.at(new Place(aggregate, last, now))
        .found()
        .map(it -> it.time().plus(1, ChronoUnit.MICROS))
        .filter(now::isBefore)
        .orElse(now);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }
}
