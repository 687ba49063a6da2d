package dev.once.s3;

import dev.once.Fingerprint;
import dev.once.StoreException;
import dev.once.StoreUnavailableException;
import dev.once.events.AppendCondition;
import dev.once.events.Appended;
import dev.once.events.Event;
import dev.once.events.EventData;
import dev.once.events.EventMismatchException;
import dev.once.events.MismatchRule;
import dev.once.events.SequenceConflictException;
import dev.once.events.internal.ReserveResult;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Appends an event in steps that can be repeated: reserve a place, point to it from the event's id,
 * enter it in the index, write the event, release the reservation. The fourth step decides.
 *
 * <p>An event is at one place at most. An append writes it only where the pointer names the place,
 * and the pointer changes only if an object at its place shows that the event can no longer be
 * written there: a marker, or another event. Objects at places are never changed.
 */
final class Appender {
  private static final Logger LOG = System.getLogger(Appender.class.getName());

  /** An attempt fails only because another append or a reader made progress. */
  private static final int MAX_ATTEMPTS = 30;

  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final LogObjects log;
  private final PlaceAllocator allocator;
  private final MismatchRule mismatchRule;
  private final EventData event;
  private final Fingerprint fingerprint;
  private final AppendCondition condition;

  /** The reservation that this call got and has not ended. */
  private @Nullable Place reserved;

  Appender(
      LogObjects log,
      PlaceAllocator allocator,
      MismatchRule mismatchRule,
      EventData event,
      AppendCondition condition) {
    this.log = log;
    this.allocator = allocator;
    this.mismatchRule = mismatchRule;
    this.event = event;
    this.fingerprint = event.fingerprint();
    this.condition = condition;
  }

  Appended append() {
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      Optional<StoredPointer> pointer = log.find(event.id());
      if (pointer.isPresent() && pointer.get().event().isPresent()) {
        return duplicate(pointer.get().pointer(), pointer.get().event().get());
      }
      ReserveResult result = allocator.reserve(event, fingerprint, condition);
      if (!(result instanceof ReserveResult.Reserved it)) {
        return refused(result);
      }
      Place place = Place.of(it.reservation());
      reserved = place;
      pointer.ifPresent(earlier -> checkEarlier(earlier, place));
      if (log.point(pointer, event.id(), place, fingerprint) && write(place)) {
        return new Appended(new Event(event, place.sequence(), place.time()), false);
      }
      pause(attempt);
    }
    throw new StoreUnavailableException(
        "event %s found no place in %d attempts, because others were appended: retry"
            .formatted(event.id(), MAX_ATTEMPTS),
        null);
  }

  /** Refuses what contradicts an earlier append that may still write the event, or stops it. */
  private void checkEarlier(StoredPointer earlier, Place place) {
    if (!(earlier.content() instanceof PlaceContent.Empty)) {
      return;
    }
    Place first = earlier.pointer().place();
    if (first.isSameObject(place)) {
      checkSame(earlier.pointer().fingerprint());
    } else if (condition.given().isPresent()) {
      throw new IllegalArgumentException(
          "event %s was given sequence %d before: give it again"
              .formatted(event.id(), first.sequence()));
    } else {
      // Its reservation has ended since, or the database has lost it: this call got another place.
      log.abandon(event.id(), first);
    }
  }

  private boolean write(Place place) {
    log.index(event.id(), place);
    if (log.write(new Event(event, place.sequence(), place.time()))) {
      release(place);
      return true;
    }
    if (log.at(place).found(event.id()).isEmpty()) {
      // A reader abandoned this place, or another event has it.
      release(place);
      if (condition.given().isPresent()) {
        throw new SequenceConflictException(
            event.aggregate(), place.sequence() - 1, allocator.lastSequence(event.aggregate()));
      }
    }
    return false;
  }

  /** Answers with the event that has the id, and ends what earlier appends of it left open. */
  private Appended duplicate(EventPointer pointer, Event first) {
    Place place = reserved;
    if (place != null && !place.isSameObject(pointer.place())) {
      end(() -> allocator.discard(event, place));
    }
    release(pointer.place());
    checkSame(pointer.fingerprint());
    return new Appended(first, true);
  }

  /** Answers an append without a reservation, unless a concurrent one of the same event ended. */
  private Appended refused(ReserveResult result) {
    Optional<StoredPointer> pointer = log.find(event.id());
    if (pointer.isPresent() && pointer.get().event().isPresent()) {
      return duplicate(pointer.get().pointer(), pointer.get().event().get());
    }
    if (result instanceof ReserveResult.Conflict conflict) {
      throw new SequenceConflictException(
          event.aggregate(), condition.expected().orElseThrow(), conflict.last());
    }
    checkSame(((ReserveResult.Mismatch) result).first());
    throw new StoreUnavailableException(
        "event %s is being appended with other content: retry".formatted(event.id()), null);
  }

  /**
   * Applies the rule if the id was used for other content.
   *
   * @throws EventMismatchException if the rule is to refuse that
   */
  private void checkSame(Fingerprint first) {
    if (!first.matches(fingerprint)) {
      mismatchRule.apply(event, first, fingerprint);
    }
  }

  private void release(Place place) {
    end(() -> allocator.release(event.id(), place));
    reserved = null;
  }

  /** Ends a reservation. What was appended stays so if that fails: a reader will end it. */
  private void end(Runnable end) {
    try {
      end.run();
    } catch (StoreException e) {
      LOG.log(
          Level.WARNING,
          "The reservation of event {0} was not ended, and holds readers of the log back until it"
              + " expires: {1}",
          event.id(),
          e.getMessage());
    }
  }

  private static void pause(int attempt) {
    long longest = Math.min(TimeUnit.MILLISECONDS.toNanos(attempt), LONGEST_PAUSE_NANOS);
    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(longest));
  }
}
