package dev.once.inbox;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;

/**
 * Which times of signing are accepted: whoever has overheard a delivery cannot send it again for
 * ever, and whoever signs ahead of time is refused too.
 *
 * @param now the present, by our clock
 * @param tolerance how far from it a delivery may be signed, in both directions
 */
record Freshness(Instant now, Duration tolerance) {
  private static final Pattern UNIX_SECONDS = Pattern.compile("[0-9]{1,12}");

  /** Refuses a timestamp that is no whole number of seconds since 1970, or too far from now. */
  void check(String timestamp) {
    if (!UNIX_SECONDS.matcher(timestamp).matches()) {
      throw new DeliveryRejectedException(RejectionReason.TIMESTAMP_REFUSED);
    }
    Instant signed = Instant.ofEpochSecond(Long.parseLong(timestamp));
    // Timestamps have no fractions, so ours must not make the difference.
    Instant present = now.truncatedTo(ChronoUnit.SECONDS);
    if (Duration.between(signed, present).abs().compareTo(tolerance) > 0) {
      throw new DeliveryRejectedException(RejectionReason.TIMESTAMP_REFUSED);
    }
  }
}
