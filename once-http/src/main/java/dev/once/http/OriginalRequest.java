package dev.once.http;

import dev.once.Headers;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The request whose answer is replayed.
 *
 * @param correlation what its record keeps of it: its ids, and when it was received
 */
public record OriginalRequest(Headers correlation) {
  private static final String RECEIVED_AT = "Received-At";

  /** Returns the correlation of a request with these ids that is received now. */
  static Headers correlation(Headers ids) {
    return ids.with(RECEIVED_AT, Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
  }

  /** Returns its ids. */
  public Headers ids() {
    return new Headers(
        correlation.list().stream().filter(it -> !it.name().equals(RECEIVED_AT)).toList());
  }

  /** Returns when it was received, by the clock of the node that received it. */
  public Optional<Instant> receivedAt() {
    try {
      return correlation.first(RECEIVED_AT).map(Instant::parse);
    } catch (DateTimeParseException e) {
      return Optional.empty(); // A replay does not depend on it.
    }
  }
}
