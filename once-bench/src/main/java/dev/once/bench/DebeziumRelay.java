package dev.once.bench;

import dev.once.events.EventData;
import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Debezium's embedded engine on a table with the columns of its outbox router. It hands over the
 * inserted rows as structures, which is cheaper than its router or its JSON, and a plain producer
 * publishes them: Kafka confirms a batch before Debezium may forget it.
 */
final class DebeziumRelay implements OutboxRelay {
  private static final AtomicInteger STARTS = new AtomicInteger();
  private static final int END_SECONDS = 60;
  private static final long POLL_NANOS = 5_000_000;

  private final BenchDatabase database;
  private final KafkaProducer<String, byte[]> producer;
  private final DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;
  private final CompletableFuture<Void> end;

  private DebeziumRelay(BenchDatabase database, BenchKafka kafka, String topic)
      throws SQLException {
    database.execute(
        """
        CREATE TABLE IF NOT EXISTS outboxevent (
          id text PRIMARY KEY, aggregatetype text NOT NULL, aggregateid text NOT NULL,
          type text NOT NULL, payload text NOT NULL)
        """);
    String slot = "debezium_" + STARTS.incrementAndGet();
    this.database = database;
    this.producer = kafka.producer();
    this.engine =
        DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
            .using(settings(database.source(), slot))
            .notifying((records, committer) -> publish(topic, records, committer))
            .build();
    this.end = CompletableFuture.runAsync(engine, it -> new Thread(it, "debezium").start());
    // Rows that are written before it has a slot are not published.
    while (database.number(
            "SELECT count(*) FROM pg_replication_slots WHERE active AND slot_name = '%s'"
                .formatted(slot))
        == 0) {
      if (end.isDone()) {
        end.join();
        throw new IllegalStateException("Debezium has ended");
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  static Contestant<OutboxRelay.Launch> relay(BenchDatabase database, BenchKafka kafka) {
    return new Contestant<>(
        "Debezium embedded",
        "pgoutput; batches of up to 8,192; polls its queue every 5 ms; offsets in memory",
        topic -> new DebeziumRelay(database, kafka, topic));
  }

  private static Properties settings(PGSimpleDataSource source, String slot) {
    Properties settings = new Properties();
    settings.put("name", "bench");
    settings.put("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
    settings.put("offset.storage", "org.apache.kafka.connect.storage.MemoryOffsetBackingStore");
    settings.put("topic.prefix", "bench");
    settings.put("database.hostname", source.getServerNames()[0]);
    settings.put("database.port", Integer.toString(source.getPortNumbers()[0]));
    settings.put("database.user", Objects.requireNonNull(source.getUser()));
    settings.put("database.password", Objects.requireNonNull(source.getPassword()));
    settings.put("database.dbname", Objects.requireNonNull(source.getDatabaseName()));
    settings.put("plugin.name", "pgoutput");
    settings.put("publication.autocreate.mode", "filtered");
    settings.put("table.include.list", "public.outboxevent");
    settings.put("snapshot.mode", "no_data");
    // A new slot for each start: it skips what other contestants have written meanwhile.
    settings.put("slot.name", slot);
    settings.put("slot.drop.on.stop", "true");
    settings.put("max.batch.size", "8192");
    settings.put("max.queue.size", "32768");
    settings.put("poll.interval.ms", "5");
    return settings;
  }

  private void publish(
      String topic,
      List<RecordChangeEvent<SourceRecord>> records,
      DebeziumEngine.RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
      throws InterruptedException {
    for (RecordChangeEvent<SourceRecord> it : records) {
      Struct row = ((Struct) it.record().value()).getStruct("after");
      byte[] payload = row.getString("payload").getBytes(StandardCharsets.UTF_8);
      var record = new ProducerRecord<>(topic, row.getString("aggregateid"), payload);
      record.headers().add(ID, row.getString("id").getBytes(StandardCharsets.UTF_8));
      var unused = producer.send(record);
    }
    producer.flush();
    for (RecordChangeEvent<SourceRecord> it : records) {
      committer.markProcessed(it);
    }
    committer.markBatchFinished();
  }

  @Override
  public long write(List<EventData> events) throws Exception {
    return database.inTransaction(
        connection -> {
          for (EventData event : events) {
            BenchDatabase.update(
                connection,
                "INSERT INTO outboxevent VALUES (?, ?, ?, ?, ?)",
                event.id(),
                event.aggregate().type(),
                event.aggregate().id(),
                event.type(),
                new String(event.data(), StandardCharsets.UTF_8));
          }
        });
  }

  @Override
  public void close() throws IOException {
    engine.close();
    end.orTimeout(END_SECONDS, TimeUnit.SECONDS).join();
    producer.close();
  }
}
