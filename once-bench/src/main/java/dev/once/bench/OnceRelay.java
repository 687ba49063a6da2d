package dev.once.bench;

import dev.once.events.AppendCondition;
import dev.once.events.EventData;
import dev.once.events.EventsSchema;
import dev.once.events.MismatchRule;
import dev.once.events.PostgresEventStore;
import dev.once.events.Relay;
import dev.once.events.RelaySettings;
import dev.once.kafka.KafkaEventPublisher;
import java.util.List;
import java.util.Map;

/** Once's relay: it reads the log and publishes each batch in a transaction of Kafka. */
final class OnceRelay implements OutboxRelay {
  private final BenchDatabase database;
  private final PostgresEventStore store;
  private final KafkaEventPublisher publisher;
  private final Relay relay;

  private OnceRelay(BenchDatabase database, BenchKafka kafka, String topic, int batch) {
    String schema = "relay_" + batch; // Each relay has a log, of which it publishes all.
    EventsSchema.named(schema).apply(database.pool());
    this.database = database;
    this.store =
        PostgresEventStore.over(
            database.pool(), schema, PostgresEventStore.DEFAULT_HANDLER_PREFIX, MismatchRule.ERROR);
    this.publisher = new KafkaEventPublisher(schema, kafka.client(), event -> topic);
    this.relay =
        Relay.builder(schema, store.log(), publisher, database.pool())
            .schema(schema)
            .settings(
                RelaySettings.of(Map.of("EVENT_PUBLISHER_BATCH_SIZE", Integer.toString(batch))))
            .build()
            .start();
  }

  static Contestant<OutboxRelay.Launch> relay(BenchDatabase database, BenchKafka kafka, int batch) {
    return new Contestant<>(
        "Once, batches of %,d".formatted(batch),
        "polls after 1 to 20 ms; a transaction of Kafka for each batch",
        topic -> new OnceRelay(database, kafka, topic, batch));
  }

  @Override
  public long write(List<EventData> events) throws Exception {
    return database.inTransaction(
        connection -> {
          for (EventData event : events) {
            store.append(connection, event, AppendCondition.ANY);
          }
        });
  }

  @Override
  public void close() {
    relay.close();
    publisher.close();
  }
}
