package dev.once.events;

import dev.once.StoreException;
import dev.once.events.ProcessedEventStatements.GivenUpCursor;
import dev.once.internal.Limits;
import dev.once.jdbc.internal.TransactionRunner;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * The registry of processed events: which handler has handled which event, and how far it is with
 * each aggregate. Consumers of one handler share it across processes, and it decides which of them
 * handles an event. Thread-safe.
 *
 * <p>Its tables are those of {@link EventsSchema}, which has to be applied before.
 */
public final class ProcessedEvents {
  public static final Duration DEFAULT_LEASE = Duration.ofMinutes(15);
  public static final Duration DEFAULT_HEARTBEAT = Duration.ofSeconds(30);

  public static final Duration MIN_LEASE = Duration.ofSeconds(1);
  public static final Duration MAX_LEASE = Duration.ofHours(24);
  public static final Duration MIN_HEARTBEAT = Duration.ofMillis(50);

  /** The shortest time for which finished events are kept. */
  public static final Duration MIN_RETENTION = Duration.ofHours(1);

  public static final Duration MAX_RETENTION = Duration.ofDays(3650);

  /** A lease has to survive heartbeats that come late or fail. */
  private static final int HEARTBEATS_PER_LEASE = 3;

  private static final int MAX_OWNER_CHARS = 255;
  private static final Duration MAX_TIMEOUT = Duration.ofSeconds(30);

  private final DataSource dataSource;
  private final String schema;
  private final String owner;
  private final Duration lease;
  private final Duration heartbeat;
  private final TransactionRunner work;

  private ProcessedEvents(Builder builder) {
    this.dataSource = builder.dataSource;
    this.schema = builder.schema;
    this.owner = builder.owner.orElseGet(ProcessedEvents::defaultOwner);
    this.lease = builder.lease;
    this.heartbeat = builder.heartbeat.orElseGet(() -> defaultHeartbeat(lease));
    Duration timeout = lease.dividedBy(2);
    this.work =
        new TransactionRunner(
            dataSource, timeout.compareTo(MAX_TIMEOUT) < 0 ? timeout : MAX_TIMEOUT);
  }

  /** Returns a builder of a registry whose tables are in {@code dataSource}. */
  public static Builder builder(DataSource dataSource) {
    return new Builder(dataSource);
  }

  /** Returns a registry with the default settings. */
  public static ProcessedEvents over(DataSource dataSource) {
    return builder(dataSource).build();
  }

  /** Returns what {@code handler} did with an event; empty if it was never claimed, or purged. */
  public Optional<ProcessedEvent> find(String handler, String eventId) {
    return work.run(
        "finding an event",
        connection -> ProcessedEventStatements.find(connection, schema, handler, eventId));
  }

  /** Returns what every handler did with an event, in the order of their names. */
  public List<ProcessedEvent> find(String eventId) {
    return work.run(
        "finding an event",
        connection -> ProcessedEventStatements.find(connection, schema, eventId));
  }

  /** Returns the handlers that have claimed events, in the order of their names. */
  public List<String> handlers() {
    return work.run(
        "reading the handlers",
        connection -> ProcessedEventStatements.handlers(connection, schema));
  }

  /**
   * Returns the first events that {@code handler} gave up, the oldest first, among them those that
   * were redriven and not claimed since.
   *
   * @param state {@link ProcessedState#SKIPPED} or {@link ProcessedState#DEAD}
   */
  public List<ProcessedEvent> givenUp(String handler, ProcessedState state, int limit) {
    return givenUp(new GivenUpCursor(handler, Instant.EPOCH, ""), state, limit);
  }

  /** Returns the next events after {@code last}, as {@link #givenUp} does. */
  public List<ProcessedEvent> givenUpAfter(ProcessedEvent last, ProcessedState state, int limit) {
    Instant at =
        last.givenUpAt()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "event " + last.eventId() + " was not given up: it is " + last.state()));
    return givenUp(new GivenUpCursor(last.handler(), at, last.eventId()), state, limit);
  }

  private List<ProcessedEvent> givenUp(GivenUpCursor after, ProcessedState state, int limit) {
    Limits.range("limit", limit, 1, EventStore.MAX_PAGE);
    return work.run(
        "reading events that were given up",
        connection -> ProcessedEventStatements.givenUp(connection, schema, after, state, limit));
  }

  /**
   * Returns the last sequences of an aggregate by handler, of those that have claimed its events.
   */
  public Map<String, Long> lastSequences(Aggregate aggregate) {
    return work.run(
        "reading last sequences",
        connection -> ProcessedEventStatements.lastSequences(connection, schema, aggregate.key()));
  }

  /**
   * Returns the last sequence of an aggregate that {@code handler} has handled or given up; 0 if
   * there is none.
   */
  public long lastSequence(String handler, Aggregate aggregate) {
    return work.run(
        "reading a last sequence",
        connection ->
            ProcessedEventStatements.lastSequence(connection, schema, handler, aggregate.key()));
  }

  /**
   * Makes a failed, skipped or dead event claimable again, with all its attempts. It is handled
   * when it is delivered again, even if later events of its aggregate have been handled by then:
   * the effect has to cope with that.
   *
   * @return false if there is no such event
   */
  public boolean redrive(String handler, String eventId) {
    return work.run(
            "redriving an event",
            connection ->
                ProcessedEventStatements.redrive(connection, schema, handler, Optional.of(eventId)))
        > 0;
  }

  /**
   * Makes all dead events of {@code handler} claimable again, as {@link #redrive} does.
   *
   * @return how many there were
   */
  public int redriveDead(String handler) {
    return work.run(
        "redriving dead events",
        connection ->
            ProcessedEventStatements.redrive(connection, schema, handler, Optional.empty()));
  }

  /**
   * Deletes events that were done or skipped more than {@code retention} ago, in batches. If one of
   * them is delivered again, it is ignored because of its sequence. Last sequences are never
   * deleted.
   *
   * @return how many were deleted
   * @throws StoreException if the database fails; a part may be deleted
   */
  public long purge(Duration retention) {
    Limits.range("retention", retention, MIN_RETENTION, MAX_RETENTION);
    return new PurgeEventsStatement(schema, retention).run(work);
  }

  /** Returns how often leases of a length are renewed unless set. */
  static Duration defaultHeartbeat(Duration lease) {
    Duration longest = lease.dividedBy(HEARTBEATS_PER_LEASE);
    return longest.compareTo(DEFAULT_HEARTBEAT) < 0 ? longest : DEFAULT_HEARTBEAT;
  }

  DataSource dataSource() {
    return dataSource;
  }

  TransactionRunner work() {
    return work;
  }

  String schema() {
    return schema;
  }

  String owner() {
    return owner;
  }

  Duration lease() {
    return lease;
  }

  Duration heartbeat() {
    return heartbeat;
  }

  private static String defaultOwner() {
    String random = UUID.randomUUID().toString().substring(0, 8);
    return host() + ":" + ProcessHandle.current().pid() + ":" + random;
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }

  /** The settings of {@link ProcessedEvents}. */
  public static final class Builder {
    private final DataSource dataSource;
    private String schema = EventsSchema.DEFAULT_NAME;
    private Optional<String> owner = Optional.empty();
    private Duration lease = DEFAULT_LEASE;
    private Optional<Duration> heartbeat = Optional.empty();

    private Builder(DataSource dataSource) {
      this.dataSource = dataSource;
    }

    /** Sets the PostgreSQL schema of the tables, {@link EventsSchema#DEFAULT_NAME} by default. */
    public Builder schema(String name) {
      var unused = EventsSchema.named(name); // It becomes a part of statements: checked there.
      this.schema = name;
      return this;
    }

    /**
     * Sets the name under which claims of this process are shown to operators: host, process id and
     * a random part by default. It identifies no claim, so two processes may have the same.
     */
    public Builder owner(String owner) {
      Limits.text("owner", owner, 1, MAX_OWNER_CHARS);
      this.owner = Optional.of(owner);
      return this;
    }

    /**
     * Sets how long a claim lasts without a heartbeat, 900 s by default: events of a crashed
     * consumer are handled again after this time.
     */
    public Builder lease(Duration lease) {
      Limits.range("lease", lease, MIN_LEASE, MAX_LEASE);
      this.lease = lease;
      return this;
    }

    /**
     * Sets how often running claims are renewed, at most a third of the lease; by default 30 s, or
     * a third of the lease if that is shorter.
     */
    public Builder heartbeat(Duration interval) {
      Limits.range("heartbeat interval", interval, MIN_HEARTBEAT, MAX_LEASE);
      this.heartbeat = Optional.of(interval);
      return this;
    }

    public ProcessedEvents build() {
      heartbeat.ifPresent(this::checkHeartbeat);
      return new ProcessedEvents(this);
    }

    private void checkHeartbeat(Duration interval) {
      if (interval.multipliedBy(HEARTBEATS_PER_LEASE).compareTo(lease) > 0) {
        throw new IllegalArgumentException(
            "heartbeat interval %s must be at most a third of the lease %s: a late heartbeat would lose it"
                .formatted(interval, lease));
      }
    }
  }
}
