package dev.once.bench;

import dev.once.events.EventData;
import io.namastack.outbox.Outbox;
import io.namastack.outbox.OutboxPayloadSerializer;
import io.namastack.outbox.config.JdbcOutboxAutoConfiguration;
import io.namastack.outbox.config.JdbcOutboxSchemaAutoConfiguration;
import io.namastack.outbox.config.OutboxCoreInfrastructureAutoConfiguration;
import io.namastack.outbox.config.OutboxCoreProcessingAutoConfiguration;
import io.namastack.outbox.config.OutboxCoreSchedulingAutoConfiguration;
import io.namastack.outbox.config.OutboxCoreThreadingAutoConfiguration;
import io.namastack.outbox.handler.OutboxHandler;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * namastack-outbox in a minimal application of Spring Boot. Its handler sends a record and waits
 * for the broker, as that of its module for Kafka does; records of different keys are handled
 * concurrently.
 */
final class NamastackRelay implements OutboxRelay {
  /** Ids of all events have the same length, and start the payload. */
  private static final int ID_CHARS = EventSample.newEvent("sample").id().length();

  private final KafkaProducer<String, byte[]> producer;
  private final ConfigurableApplicationContext application;

  private NamastackRelay(BenchDatabase database, BenchKafka kafka, String topic, int threads) {
    this.producer = kafka.producer();
    this.application =
        new SpringApplicationBuilder(Configuration.class)
            .web(WebApplicationType.NONE)
            .properties(
                "spring.main.banner-mode=off",
                "logging.level.root=off",
                "namastack.outbox.polling.trigger=fixed",
                "namastack.outbox.polling.fixed.interval=5ms",
                "namastack.outbox.polling.batch-size=10000",
                "namastack.outbox.processing.executor-core-pool-size=" + threads,
                "namastack.outbox.processing.executor-max-pool-size=" + threads,
                "namastack.outbox.multicaster.enabled=false")
            .initializers(it -> addBeans((GenericApplicationContext) it, database, topic))
            .run();
  }

  static Contestant<OutboxRelay.Launch> relay(
      BenchDatabase database, BenchKafka kafka, int threads) {
    return new Contestant<>(
        "namastack-outbox",
        "%d threads; batches of up to 10,000 keys; polls every 5 ms".formatted(threads),
        topic -> new NamastackRelay(database, kafka, topic, threads));
  }

  private void addBeans(GenericApplicationContext context, BenchDatabase database, String topic) {
    DataSource pool =
        new DelegatingDataSource(database.pool()); // Spring closes what can be closed.
    context.registerBean(DataSource.class, () -> pool);
    context.registerBean(
        PlatformTransactionManager.class, () -> new DataSourceTransactionManager(pool));
    context.registerBean(OutboxPayloadSerializer.class, Texts::new);
    context.registerBean(OutboxHandler.class, () -> handler(topic));
  }

  private OutboxHandler handler(String topic) {
    return (payload, metadata) -> {
      String text = (String) payload;
      byte[] value = text.substring(ID_CHARS).getBytes(StandardCharsets.UTF_8);
      var record = new ProducerRecord<>(topic, metadata.getKey(), value);
      record.headers().add(ID, text.substring(0, ID_CHARS).getBytes(StandardCharsets.UTF_8));
      try {
        producer.send(record).get();
      } catch (Exception e) {
        throw new IllegalStateException("not published", e);
      }
    };
  }

  @Override
  public long write(List<EventData> events) {
    Outbox outbox = application.getBean(Outbox.class);
    TransactionTemplate transactions =
        new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
    return transactions.execute(
        status -> {
          for (EventData it : events) {
            String payload = it.id() + new String(it.data(), StandardCharsets.UTF_8);
            outbox.schedule(payload, it.aggregate().id());
          }
          return System.nanoTime();
        });
  }

  @Override
  public void close() {
    application.close();
    producer.close();
  }

  /** What Spring Boot would find by itself. */
  @ImportAutoConfiguration({
    TaskExecutionAutoConfiguration.class,
    TaskSchedulingAutoConfiguration.class,
    JdbcOutboxAutoConfiguration.class,
    JdbcOutboxSchemaAutoConfiguration.class,
    OutboxCoreInfrastructureAutoConfiguration.class,
    OutboxCoreThreadingAutoConfiguration.class,
    OutboxCoreProcessingAutoConfiguration.class,
    OutboxCoreSchedulingAutoConfiguration.class
  })
  static class Configuration {}

  /** Payloads are texts already, and no record has a context. */
  private static final class Texts implements OutboxPayloadSerializer {
    @Override
    public String serialize(Object payload) {
      return payload instanceof String text ? text : "{}";
    }

    @Override
    public <T> T deserialize(String serialized, Class<T> type) {
      return type.cast(type.equals(String.class) ? serialized : Map.of());
    }
  }
}
