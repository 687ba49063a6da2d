package dev.once.events;

import dev.once.internal.Limits;
import java.util.Map;

/**
 * The settings of event stores that environment variables have.
 *
 * @param sequenceMode {@code EVENT_STORE_SEQUENCE_ALLOCATOR_MODE}, {@code postgres} by default
 * @param schema {@code EVENT_STORE_SEQUENCE_SCHEMA}, the PostgreSQL schema of the tables
 * @param handlerPrefix {@code EVENT_STORE_SEQUENCE_HANDLER_PREFIX}, under which the log reserves
 *     its sequences: one that no other log in the schema has
 * @param mismatchRule {@code EVENT_STORE_IDEMPOTENCY_MISMATCH_MODE}, {@code error} by default
 */
public record EventStoreSettings(
    SequenceMode sequenceMode, String schema, String handlerPrefix, MismatchRule mismatchRule) {
  public static final EventStoreSettings DEFAULT = of(Map.of());

  private static final int MAX_PREFIX_CHARS = 100;

  public EventStoreSettings {
    var unused = EventsSchema.named(schema); // It becomes a part of statements: checked there.
    checkPrefix(handlerPrefix);
  }

  /**
   * Reads the settings from {@code environment}, such as {@link System#getenv()}.
   *
   * @throws IllegalArgumentException if a value is not allowed; the message has the variable, the
   *     value and what is allowed
   */
  public static EventStoreSettings of(Map<String, String> environment) {
    Environment names = new Environment(environment);
    return new EventStoreSettings(
        names.value(
            "EVENT_STORE_SEQUENCE_ALLOCATOR_MODE", SequenceMode.POSTGRES, SequenceMode::named),
        names.value(
            "EVENT_STORE_SEQUENCE_SCHEMA",
            EventsSchema.DEFAULT_NAME,
            it -> {
              var unused = EventsSchema.named(it);
              return it;
            }),
        names.value(
            "EVENT_STORE_SEQUENCE_HANDLER_PREFIX",
            PostgresEventStore.DEFAULT_HANDLER_PREFIX,
            EventStoreSettings::checkPrefix),
        names.value(
            "EVENT_STORE_IDEMPOTENCY_MISMATCH_MODE", MismatchRule.ERROR, MismatchRule::named));
  }

  private static String checkPrefix(String prefix) {
    Limits.text("handler prefix", prefix, 1, MAX_PREFIX_CHARS);
    return prefix;
  }
}
