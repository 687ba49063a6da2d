package dev.once.inbox;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;

/**
 * Limits which times of signing are accepted. A captured delivery cannot be resent forever, and a
 * delivery signed too far in the future is refused too.
 *
 * @param now the present, by our clock
 * @param tolerance how far from it a delivery may be signed, in both directions
 */
record Freshness(Instant now, Duration tolerance) {
  private static final Pattern UNIX_SECONDS = Pattern.compile("[0-9]{1,12}");

  /** Refuses a timestamp that is not a whole number of seconds since 1970, or too far from now. */
  void check(String timestamp) {
    if (!UNIX_SECONDS.matcher(timestamp).matches()) {
      throw new DeliveryRejectedException(RejectionReason.TIMESTAMP_REFUSED);
    }
    Instant signed = Instant.ofEpochSecond(Long.parseLong(timestamp));
    // Timestamps have no fractions of a second, so those of our clock must not decide.
    Instant present = now.truncatedTo(ChronoUnit.SECONDS);
    if (Duration.between(signed, present).abs().compareTo(tolerance) > 0) {
      throw new DeliveryRejectedException(RejectionReason.TIMESTAMP_REFUSED);
    }
  }
}
