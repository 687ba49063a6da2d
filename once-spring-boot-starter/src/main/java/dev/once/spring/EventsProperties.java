package dev.once.spring;

import dev.once.events.RegistryOutage;
import dev.once.events.SequenceRule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings under {@code once.events}.
 *
 * @param enabled Whether this application has an event store, consumers of events and a relay.
 * @param consumers Whether this process handles events.
 * @param schema The PostgreSQL schema of the tables; EVENT_STORE_SEQUENCE_SCHEMA unless set, or
 *     else spice_event_registry.
 * @param drain How long running methods may take when the application stops.
 * @param registry The registry of processed events.
 * @param kafka How Kafka is reached.
 * @param relay The relay of the event store to Kafka.
 * @param handlers How single handlers are treated, by their names.
 */
@ConfigurationProperties("once.events")
public record EventsProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("true") boolean consumers,
    @Nullable String schema,
    @DefaultValue("30s") Duration drain,
    @DefaultValue Registry registry,
    @DefaultValue Kafka kafka,
    @DefaultValue Relay relay,
    @DefaultValue Map<String, HandlerSettings> handlers) {

  /**
   * Settings under {@code once.events.registry}.
   *
   * @param enabled Whether there is a registry; ENABLE_PROCESSED_EVENT_REGISTRY unless set, or else
   *     true.
   * @param lease How long a crashed process blocks an event at most;
   *     PROCESSED_EVENT_LEASE_TIMEOUT_SECONDS unless set, or else 900 s.
   * @param heartbeat How often leases are renewed; PROCESSED_EVENT_HEARTBEAT_INTERVAL_SECONDS
   *     unless set, or else 30 s, or a third of the lease if that is shorter.
   * @param owner The name of this process in the registry; PROCESSED_EVENT_OWNER unless set.
   * @param retention How long handled events stay in the registry. After that, their sequence keeps
   *     them from being handled again.
   */
  public record Registry(
      @Nullable Boolean enabled,
      @Nullable Duration lease,
      @Nullable Duration heartbeat,
      @Nullable String owner,
      @DefaultValue("30d") Duration retention) {}

  /**
   * Settings under {@code once.events.kafka}.
   *
   * @param bootstrapServers The addresses of brokers; spring.kafka.bootstrap-servers unless set.
   * @param properties Further settings of Kafka's clients; those of spring.kafka.properties hold
   *     too.
   */
  public record Kafka(
      @DefaultValue List<String> bootstrapServers, @DefaultValue Map<String, String> properties) {
    /** Shows no values, because passwords are among them. */
    @Override
    public String toString() {
      return "Kafka[bootstrapServers=%s, properties=%s]"
          .formatted(bootstrapServers, properties.keySet());
    }
  }

  /**
   * Settings under {@code once.events.relay}.
   *
   * @param enabled Whether this process publishes the events of the event store. Any number of
   *     processes may: one of them does, and another takes over from it.
   * @param name The name of the relay, the same in all processes.
   * @param topic The topic of events whose aggregate type has no other one.
   * @param topics Topics by aggregate type.
   */
  public record Relay(
      @DefaultValue("false") boolean enabled,
      @DefaultValue("events") String name,
      @Nullable String topic,
      @DefaultValue Map<String, String> topics) {}

  /**
   * Settings under {@code once.events.handlers} of one handler.
   *
   * @param enabled Whether this process handles its events.
   * @param topics Topics to receive, instead of those of its methods.
   * @param attempts How often an event is tried; unless set, the variable that has the name of the
   *     handler and ends in _MAX_RETRY_ATTEMPTS or _MAX_RETRIES, or else 5.
   * @param firstDelay How long the second attempt waits; later ones wait twice as long each.
   * @param maxDelay How long an attempt waits at most.
   * @param giveUp What happens after the last attempt: dead-letter or skip. Unless set,
   *     dead-letter, but skip for instance_worker and ontology_worker.
   * @param deadLetterTopic The topic of dead letters and of records that are no events; the name of
   *     the handler and _dlq unless set.
   * @param unknownTypes What happens to an event of a type that none of its methods takes: ignore,
   *     or give-up, which is what happens after the last attempt.
   * @param onOutage What happens while the registry cannot be reached: pause, fail-fast or
   *     dead-letter.
   * @param sequence Which sequences are accepted: higher, or every, which waits for a missing
   *     event.
   * @param maxWait How long an event waits for a missing one, with every.
   * @param missing What happens then: accept or give-up.
   * @param concurrency How many aggregates are handled at the same time; 16 unless set, but 4 if
   *     its methods are transactional, because each of them takes a connection.
   * @param batchSize How many events may share a transaction. If one of them fails, all are rolled
   *     back and each is handled again alone.
   */
  public record HandlerSettings(
      @DefaultValue("true") boolean enabled,
      @DefaultValue List<String> topics,
      @Nullable Integer attempts,
      @DefaultValue("1s") Duration firstDelay,
      @DefaultValue("1m") Duration maxDelay,
      @Nullable GiveUp giveUp,
      @Nullable String deadLetterTopic,
      @DefaultValue("ignore") UnknownTypes unknownTypes,
      @DefaultValue("pause") RegistryOutage onOutage,
      @DefaultValue("higher") Sequence sequence,
      @DefaultValue("30s") Duration maxWait,
      @DefaultValue("accept") SequenceRule.Missing missing,
      @Nullable Integer concurrency,
      @DefaultValue("1") int batchSize) {}

  /** What happens with an event after its last attempt. */
  public enum GiveUp {
    SKIP,
    DEAD_LETTER
  }

  /** What happens to an event of a type that no method of its handler takes. */
  public enum UnknownTypes {
    IGNORE,
    GIVE_UP
  }

  /** Which sequences of an aggregate a handler accepts. */
  public enum Sequence {
    HIGHER,
    EVERY
  }
}
