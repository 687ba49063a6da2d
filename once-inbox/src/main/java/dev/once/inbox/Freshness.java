package dev.once.inbox;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Limits which times of signing are accepted. A captured delivery cannot be resent forever, and a
 * delivery signed too far in the future is refused too.
 *
 * @param now the present, by our clock
 * @param tolerance how far from it a delivery may be signed, in both directions
 */
record Freshness(Instant now, Duration tolerance) {
  /** Refuses a timestamp that is none, or too far from now. */
  void check(String timestamp, TimestampFormat format) {
    Instant signed =
        format
            .parse(timestamp)
            .orElseThrow(() -> new DeliveryRejectedException(RejectionReason.TIMESTAMP_REFUSED));
    // Most timestamps have no fractions of a second, so those of our clock must not decide.
    Instant present = now.truncatedTo(ChronoUnit.SECONDS);
    Duration distance = Duration.between(signed.truncatedTo(ChronoUnit.SECONDS), present).abs();
    if (distance.compareTo(tolerance) > 0) {
      throw new DeliveryRejectedException(RejectionReason.TIMESTAMP_REFUSED);
    }
  }
}
