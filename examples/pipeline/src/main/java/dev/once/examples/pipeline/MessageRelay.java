package dev.once.examples.pipeline;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.events.Relay;
import dev.once.kafka.KafkaEventPublisher;
import dev.once.s3.S3EventStore;
import software.amazon.awssdk.services.s3.S3Client;

/** Publishes the log in S3 to Kafka, with its checkpoint beside the log. */
final class MessageRelay implements Role.Running {
  static final String NAME = "message_relay";

  private final HikariDataSource database;
  private final S3Client s3;
  private final KafkaEventPublisher publisher;
  private final Relay relay;

  MessageRelay(Environment environment) {
    this.database = environment.openDatabase();
    this.s3 = environment.openS3();
    this.publisher = new KafkaEventPublisher(NAME, environment.kafka(), Topics::of);
    S3EventStore store = environment.store(s3, database);
    store.check();
    this.relay =
        Relay.builder(NAME, store.log(), publisher, database)
            .schema(environment.schema())
            .settings(environment.relay())
            .checkpoints(store.checkpoints())
            .lease(environment.relayLease())
            .build()
            .start();
  }

  @Override
  public void close() {
    relay.close();
    publisher.close();
    s3.close();
    database.close();
  }
}
