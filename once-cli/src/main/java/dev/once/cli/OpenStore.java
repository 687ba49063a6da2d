package dev.once.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.events.EventStore;
import dev.once.events.EventStoreSettings;
import dev.once.events.ProcessedEvents;
import java.util.Optional;
import software.amazon.awssdk.services.s3.S3Client;

/** An event store and its connections. */
record OpenStore(
    EventStore store,
    EventStoreSettings settings,
    Optional<HikariDataSource> pool,
    Optional<S3Client> client)
    implements AutoCloseable {
  HikariDataSource database() {
    return pool.orElseThrow();
  }

  ProcessedEvents registry() {
    return ProcessedEvents.builder(database()).schema(settings.schema()).build();
  }

  @Override
  public void close() {
    client.ifPresent(S3Client::close);
    pool.ifPresent(HikariDataSource::close);
  }
}
