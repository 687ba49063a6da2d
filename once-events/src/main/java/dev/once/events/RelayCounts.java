package dev.once.events;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what a relay does. */
final class RelayCounts {
  final AtomicLong published = new AtomicLong();
  final AtomicLong late = new AtomicLong();
  final AtomicLong suppressed = new AtomicLong();
  final AtomicLong failures = new AtomicLong();

  RelayReport report(String relay, boolean active, String position, Optional<Instant> heldSince) {
    return new RelayReport(
        relay,
        active,
        published.get(),
        late.get(),
        suppressed.get(),
        failures.get(),
        position,
        heldSince);
  }
}
