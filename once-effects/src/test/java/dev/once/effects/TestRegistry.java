package dev.once.effects;

import dev.once.events.EventDatabase;
import dev.once.events.ProcessedEvents;
import dev.once.events.SeverableSource;
import java.time.Duration;

/** The registry of processed events on a real PostgreSQL, one for all tests of this JVM. */
final class TestRegistry {
  private static final EventDatabase DATABASE = new EventDatabase("effects");
  private static final Duration LEASE = Duration.ofSeconds(1);

  private final SeverableSource source = new SeverableSource(DATABASE.dataSource());

  /** Returns the registry as another process has it. */
  ProcessedEvents events() {
    return ProcessedEvents.builder(source.toDataSource())
        .lease(LEASE)
        .heartbeat(LEASE.dividedBy(4))
        .build();
  }

  /** Ends the connections to the database, so that leases are not renewed. */
  void sever() {
    source.sever();
  }
}
