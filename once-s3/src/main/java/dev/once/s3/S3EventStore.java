package dev.once.s3;

import dev.once.StoreException;
import dev.once.events.Aggregate;
import dev.once.events.AppendCondition;
import dev.once.events.Appended;
import dev.once.events.CheckpointStore;
import dev.once.events.Event;
import dev.once.events.EventData;
import dev.once.events.EventLog;
import dev.once.events.EventStore;
import dev.once.events.EventStoreSettings;
import dev.once.events.EventsSchema;
import dev.once.events.MismatchRule;
import dev.once.events.PostgresEventStore;
import dev.once.events.SequenceMode;
import dev.once.events.Snapshot;
import dev.once.events.internal.PostgresSequences;
import dev.once.internal.Limits;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * An event store on S3-compatible storage, which is the source of truth: every event is an object
 * that never changes. The bucket must show a new object to every read and list at once, and list
 * names in their order, as the general purpose buckets of S3 do.
 *
 * <p>One writer per place is decided by conditional puts ({@code If-None-Match}, {@code If-Match});
 * {@link #check} makes sure that the storage honours them. With sequences of PostgreSQL an append
 * is three puts, a read and two statements.
 */
public final class S3EventStore implements EventStore {
  private final S3Objects objects;
  private final LogObjects log;
  private final PlaceAllocator allocator;
  private final EventLoader loader;
  private final MismatchRule mismatchRule;
  private final ConditionalPuts conditionalPuts;

  private S3EventStore(Builder builder) {
    this.objects =
        new S3Objects(
            builder.client,
            builder.bucket,
            builder.prefix,
            builder.timeout,
            builder.conditionalPuts);
    this.log = new LogObjects(objects);
    this.allocator = builder.allocator(log);
    this.loader = new EventLoader(log);
    this.mismatchRule = builder.mismatchRule;
    this.conditionalPuts = new ConditionalPuts(objects, builder.conditionalPuts);
  }

  /** Returns a builder of a store in a bucket. The application closes the client. */
  public static Builder builder(S3Client client, String bucket) {
    return new Builder(client, bucket);
  }

  /**
   * Makes sure that the bucket can be written, and that the storage honours conditional puts, by
   * puts of an object of its own. Call it once at start.
   *
   * @throws StoreException if not
   */
  public void check() {
    conditionalPuts.check();
  }

  @Override
  public Appended append(EventData event, AppendCondition condition) {
    return new Appender(log, allocator, mismatchRule, event, condition).append();
  }

  @Override
  public Optional<Event> find(String eventId) {
    return log.find(eventId).flatMap(StoredPointer::event);
  }

  /**
   * Returns up to {@code limit} events of an aggregate after a sequence, in order. It ends before a
   * sequence whose event is about to be written.
   */
  @Override
  public List<Event> read(Aggregate aggregate, long afterSequence, int limit) {
    Limits.range("limit", limit, 1, MAX_PAGE);
    String key = aggregate.key();
    List<Event> events = new ArrayList<>();
    long last = afterSequence;
    while (events.size() < limit) {
      List<Long> settled = settled(aggregate, last, limit - events.size());
      if (settled.isEmpty()) {
        break;
      }
      List<Place> places = settled.stream().map(it -> new Place(key, it, Instant.EPOCH)).toList();
      loader.load(places).forEach(it -> it.found().ifPresent(events::add));
      last = settled.get(settled.size() - 1);
    }
    return events;
  }

  /** Returns the next sequences up to the first one that an open reservation has. */
  private List<Long> settled(Aggregate aggregate, long after, int limit) {
    List<Long> listed = log.sequences(aggregate, after, limit);
    boolean complete = listed.isEmpty() || listed.get(listed.size() - 1) == after + listed.size();
    if (complete || !allocator.leavesOpenPlaces()) {
      return listed;
    }
    // Listed again: what was open before is settled up to this sequence.
    long last = allocator.lastSequence(aggregate);
    return log.sequences(aggregate, after, limit).stream().filter(it -> it <= last).toList();
  }

  @Override
  public long lastSequence(Aggregate aggregate) {
    return allocator.lastSequence(aggregate);
  }

  @Override
  public EventLog log() {
    return new S3EventLog(log, allocator, loader, new ReadEntries());
  }

  /** Returns the checkpoints of relays, which are kept beside the log. */
  public CheckpointStore checkpoints() {
    return new S3Checkpoints(objects);
  }

  @Override
  public void save(Snapshot snapshot) {
    objects.update(
        "saving a snapshot of " + snapshot.aggregate(),
        LogNames.snapshot(snapshot.aggregate()),
        earlier ->
            earlier
                    .map(LogJson::snapshot)
                    .filter(it -> it.sequence() > snapshot.sequence())
                    .isPresent()
                ? Optional.empty()
                : Optional.of(LogJson.write(snapshot)));
  }

  @Override
  public Optional<Snapshot> snapshot(Aggregate aggregate) {
    return objects
        .get("reading the snapshot of " + aggregate, LogNames.snapshot(aggregate))
        .map(LogJson::snapshot);
  }

  /** Builds a store. */
  public static final class Builder {
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);
    public static final Duration DEFAULT_RESERVATION_LEASE = Duration.ofSeconds(30);
    public static final Duration DEFAULT_READ_DELAY = Duration.ofSeconds(10);

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final int MAX_PREFIX_CHARS = 200;

    private final S3Client client;
    private final String bucket;
    private String prefix = "";
    private SequenceMode mode = SequenceMode.POSTGRES;
    private @Nullable DataSource dataSource;
    private String schema = EventsSchema.DEFAULT_NAME;
    private String handlerPrefix = PostgresEventStore.DEFAULT_HANDLER_PREFIX;
    private MismatchRule mismatchRule = MismatchRule.ERROR;
    private Duration timeout = DEFAULT_TIMEOUT;
    private Duration reservationLease = DEFAULT_RESERVATION_LEASE;
    private Duration readDelay = DEFAULT_READ_DELAY;
    private boolean conditionalPuts = true;
    private Clock clock = Clock.systemUTC();

    private Builder(S3Client client, String bucket) {
      this.client = client;
      this.bucket = bucket;
    }

    /** Sets how the names of all objects begin. One log has one prefix; none by default. */
    public Builder prefix(String prefix) {
      Limits.text("prefix", prefix, 0, MAX_PREFIX_CHARS);
      this.prefix = prefix.isEmpty() || prefix.endsWith("/") ? prefix : prefix + "/";
      return this;
    }

    /** Sets all that environment variables have: mode, schema, prefix and rule. */
    public Builder settings(EventStoreSettings settings) {
      return sequenceMode(settings.sequenceMode())
          .sequences(settings.schema(), settings.handlerPrefix())
          .mismatchRule(settings.mismatchRule());
    }

    /** Sets where sequences come from; {@link SequenceMode#POSTGRES} by default. */
    public Builder sequenceMode(SequenceMode mode) {
      this.mode = mode;
      return this;
    }

    /** Sets the database in which sequences are reserved; {@link EventsSchema} has its tables. */
    public Builder database(DataSource dataSource) {
      this.dataSource = dataSource;
      return this;
    }

    /**
     * Sets the PostgreSQL schema and the prefix of the handlers under which sequences are reserved.
     * Each log has a schema or a prefix of its own: two logs with the same would end each other's
     * reservations.
     */
    public Builder sequences(String schema, String handlerPrefix) {
      this.schema = schema;
      this.handlerPrefix = handlerPrefix;
      return this;
    }

    /** Sets what happens if an event's id was used before; refused by default. */
    public Builder mismatchRule(MismatchRule mismatchRule) {
      this.mismatchRule = mismatchRule;
      return this;
    }

    /** Sets how long a call to S3 may take with its retries, 10 seconds by default. */
    public Builder timeout(Duration timeout) {
      Limits.range("timeout", timeout, SHORTEST, LONGEST);
      this.timeout = timeout;
      return this;
    }

    /**
     * Sets how long an append may take before a reader of the log abandons its place, 30 seconds by
     * default. An append that crashes holds readers back for as long; one that is slower finds a
     * later place.
     */
    public Builder reservationLease(Duration reservationLease) {
      Limits.range("reservation lease", reservationLease, SHORTEST, LONGEST);
      this.reservationLease = reservationLease;
      return this;
    }

    /**
     * Sets how long after its time an event is read from the log without PostgreSQL, 10 seconds by
     * default. It must be longer than appends take and clocks differ.
     */
    public Builder readDelay(Duration readDelay) {
      Limits.range("read delay", readDelay, Duration.ZERO, LONGEST);
      this.readDelay = readDelay;
      return this;
    }

    /**
     * Accepts storage without conditional puts. An object is then looked at before it is written,
     * and two calls at the same moment may both write: without PostgreSQL, one of two events that
     * get the same sequence is lost; with it, an event whose writer pauses for longer than the
     * reservation lease may be written twice, or behind the position of readers.
     */
    public Builder withoutConditionalPuts() {
      this.conditionalPuts = false;
      return this;
    }

    Builder clock(Clock clock) {
      this.clock = clock;
      return this;
    }

    /**
     * Returns the store. It does not call S3 or the database yet.
     *
     * @throws IllegalStateException if the mode needs a database and has none
     */
    public S3EventStore build() {
      return new S3EventStore(this);
    }

    private PlaceAllocator allocator(LogObjects log) {
      if (mode != SequenceMode.POSTGRES) {
        return new ListingAllocator(log, mode, clock, readDelay);
      }
      if (dataSource == null) {
        throw new IllegalStateException(
            "mode postgres needs a database: set it, or choose the mode s3 or off");
      }
      return new PostgresAllocator(
          new PostgresSequences(dataSource, schema, handlerPrefix, reservationLease), log);
    }
  }
}
