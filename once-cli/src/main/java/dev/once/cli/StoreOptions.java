package dev.once.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.events.EventStoreSettings;
import dev.once.events.PostgresEventStore;
import dev.once.events.SequenceMode;
import dev.once.s3.S3EventStore;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import software.amazon.awssdk.services.s3.S3Client;

/** The event store, with the settings of the environment. */
final class StoreOptions {
  @Option(names = "--source")
  private SourceKind source = SourceKind.POSTGRES;

  @Mixin private final DatabaseOptions database = new DatabaseOptions();
  @Mixin private final S3Options s3 = new S3Options();

  /** Opens the store. A log on S3 without reservations in PostgreSQL needs no database. */
  OpenStore open(Session session) {
    EventStoreSettings settings = EventStoreSettings.of(session.environment());
    boolean needsDatabase =
        source == SourceKind.POSTGRES || settings.sequenceMode() == SequenceMode.POSTGRES;
    return needsDatabase ? openWithDatabase(session) : onS3(session, settings, Optional.empty());
  }

  /** Opens the store, and the database in any case: it has leases and the registry. */
  OpenStore openWithDatabase(Session session) {
    EventStoreSettings settings = EventStoreSettings.of(session.environment());
    HikariDataSource pool = database.open(session, settings.schema());
    try {
      return source == SourceKind.POSTGRES
          ? new OpenStore(
              PostgresEventStore.over(pool, settings),
              settings,
              Optional.of(pool),
              Optional.empty())
          : onS3(session, settings, Optional.of(pool));
    } catch (RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  private OpenStore onS3(
      Session session, EventStoreSettings settings, Optional<HikariDataSource> pool) {
    S3Client client = s3.open(session);
    S3EventStore.Builder builder =
        S3EventStore.builder(client, s3.bucket()).prefix(s3.prefix()).settings(settings);
    pool.ifPresent(builder::database);
    return new OpenStore(builder.build(), settings, pool, Optional.of(client));
  }
}
