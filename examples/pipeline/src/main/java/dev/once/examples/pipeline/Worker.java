package dev.once.examples.pipeline;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.events.EventConsumer;
import dev.once.events.EventConsumerSettings;
import dev.once.kafka.DeadLetterTopic;
import dev.once.kafka.KafkaEventSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;

/** A consumer of events from Kafka, with the registry in PostgreSQL. */
final class Worker implements Role.Running {
  private static final Logger LOG = System.getLogger(Worker.class.getName());
  private static final Duration DRAIN = Duration.ofSeconds(5);
  private static final Duration LONGEST_RUN = Duration.ofDays(10_000);
  private static final int FAILED = 1;

  private final HikariDataSource database;
  private final DeadLetterTopic deadLetters;
  private final KafkaEventSource source;
  private final Runnable closing;

  private Worker(Plan plan, ConsumerFactory factory) {
    Environment environment = plan.environment;
    this.closing = plan.closing;
    this.database = environment.openDatabase();
    this.deadLetters = new DeadLetterTopic(environment.kafka(), plan.deadLetters);
    String handler = plan.role.text();
    EventConsumer consumer = factory.start(builder(handler, environment), deadLetters);
    this.source =
        new KafkaEventSource(
                handler, environment.kafkaConsumer(), plan.topics, consumer, deadLetters)
            .start();
    Thread watch = new Thread(this::endWithSource, "watch");
    watch.setDaemon(true);
    watch.start();
  }

  /** Starts a consumer from a builder that has its registry. */
  interface ConsumerFactory {
    EventConsumer start(EventConsumer.Builder builder, DeadLetterTopic deadLetters);
  }

  static Plan of(Role role, List<String> topics, Environment environment) {
    return new Plan(role, topics, environment);
  }

  private EventConsumer.Builder builder(String handler, Environment environment) {
    EventConsumerSettings settings = environment.consumer();
    EventConsumer.Builder builder =
        EventConsumer.named(handler)
            .listener(new ConsumerLog())
            .onOutage(environment.outage())
            .drain(DRAIN);
    settings
        .registry(database, environment.schema())
        .ifPresentOrElse(builder::registry, builder::withoutRegistry);
    return builder;
  }

  /** Ends the process if its source fails: a process that does nothing should not look alive. */
  private void endWithSource() {
    try {
      source.awaitEnd(LONGEST_RUN);
    } catch (InterruptedException e) {
      return;
    }
    source
        .failure()
        .ifPresent(
            it -> {
              LOG.log(Level.ERROR, "the worker cannot go on", it);
              System.exit(FAILED);
            });
  }

  @Override
  public void close() {
    source.close();
    closing.run();
    deadLetters.close();
    database.close();
  }

  /** What a worker needs. */
  static final class Plan {
    private final Role role;
    private final List<String> topics;
    private final Environment environment;
    private String deadLetters = "";
    private Runnable closing = () -> {};

    private Plan(Role role, List<String> topics, Environment environment) {
      this.role = role;
      this.topics = topics;
      this.environment = environment;
    }

    /** Sets the topic for records that are no events, and for dead letters. */
    Plan deadLetters(String topic) {
      this.deadLetters = topic;
      return this;
    }

    /** Sets what happens after the consumer has closed. */
    Plan closing(Runnable closing) {
      this.closing = closing;
      return this;
    }

    Worker start(ConsumerFactory factory) {
      return new Worker(this, factory);
    }
  }
}
