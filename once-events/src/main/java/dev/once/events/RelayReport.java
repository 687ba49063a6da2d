package dev.once.events;

import java.time.Instant;
import java.util.Optional;

/**
 * What a relay has done since it was started.
 *
 * @param relay its name
 * @param active whether this process has its lease
 * @param published events that the broker confirmed
 * @param late those of them that were found before the position
 * @param suppressed events that were not published because they had been
 * @param failures how often reading, publishing or saving failed
 * @param position the position in the log
 * @param heldSince since when an event waits for an earlier append to end
 */
public record RelayReport(
    String relay,
    boolean active,
    long published,
    long late,
    long suppressed,
    long failures,
    String position,
    Optional<Instant> heldSince) {

  /** Returns one line for a log. */
  @Override
  public String toString() {
    return "event_publisher.metrics relay=%s active=%s published=%d late=%d suppressed=%d failures=%d position=%s held_since=%s"
        .formatted(
            relay,
            active,
            published,
            late,
            suppressed,
            failures,
            position,
            heldSince.map(Instant::toString).orElse("-"));
  }
}
