package dev.once.events;

import dev.once.internal.Limits;
import java.util.Map;

/** The settings of event stores, which environment variables change. Immutable. */
public final class EventStoreSettings {
  public static final EventStoreSettings DEFAULT = of(Map.of());

  private static final int MAX_PREFIX_CHARS = 100;

  private final SequenceMode sequenceMode;
  private final String schema;
  private final String handlerPrefix;
  private final MismatchRule mismatchRule;

  EventStoreSettings(
      SequenceMode sequenceMode, String schema, String handlerPrefix, MismatchRule mismatchRule) {
    this.sequenceMode = sequenceMode;
    this.schema = checkSchema(schema);
    this.handlerPrefix = checkPrefix(handlerPrefix);
    this.mismatchRule = mismatchRule;
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
            EventStoreSettings::checkSchema),
        names.value(
            "EVENT_STORE_SEQUENCE_HANDLER_PREFIX",
            PostgresEventStore.DEFAULT_HANDLER_PREFIX,
            EventStoreSettings::checkPrefix),
        names.value(
            "EVENT_STORE_IDEMPOTENCY_MISMATCH_MODE", MismatchRule.ERROR, MismatchRule::named));
  }

  /** Returns the same settings for the tables of another PostgreSQL schema. */
  public EventStoreSettings withSchema(String other) {
    return new EventStoreSettings(sequenceMode, other, handlerPrefix, mismatchRule);
  }

  /** Returns {@code EVENT_STORE_SEQUENCE_ALLOCATOR_MODE}, {@code postgres} by default. */
  public SequenceMode sequenceMode() {
    return sequenceMode;
  }

  /** Returns {@code EVENT_STORE_SEQUENCE_SCHEMA}, the PostgreSQL schema of the tables. */
  public String schema() {
    return schema;
  }

  /**
   * Returns {@code EVENT_STORE_SEQUENCE_HANDLER_PREFIX}, under which the log reserves its
   * sequences: one that no other log in the schema has.
   */
  public String handlerPrefix() {
    return handlerPrefix;
  }

  /** Returns {@code EVENT_STORE_IDEMPOTENCY_MISMATCH_MODE}, {@code error} by default. */
  public MismatchRule mismatchRule() {
    return mismatchRule;
  }

  /** It becomes a part of statements. */
  private static String checkSchema(String name) {
    var unused = EventsSchema.named(name);
    return name;
  }

  private static String checkPrefix(String prefix) {
    Limits.text("handler prefix", prefix, 1, MAX_PREFIX_CHARS);
    return prefix;
  }
}
