package dev.once.events;

import dev.once.Fingerprint;
import dev.once.StoreUnavailableException;
import dev.once.internal.Limits;
import dev.once.jdbc.internal.Batcher;
import dev.once.jdbc.internal.RoutingSources;
import dev.once.jdbc.internal.SqlStates;
import dev.once.jdbc.internal.StoreThreads;
import dev.once.jdbc.internal.TransactionRunner;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * An event store in PostgreSQL. An append is one round trip and one commit, which concurrent
 * appends share. It never joins a transaction of the calling thread: for that there is {@link
 * #append(Connection, EventData, AppendCondition)}. It waits for such a transaction of another
 * caller, if that appends to the same aggregate, for up to 4 seconds, and is refused then.
 */
public final class PostgresEventStore implements EventStore {
  /** The prefix of the handlers under which sequences are reserved, unless another is chosen. */
  public static final String DEFAULT_HANDLER_PREFIX = "write_side";

  /** How long a batch waits for a transaction that creates one of its aggregates or events. */
  private static final int BATCH_LOCK_MILLIS = 50;

  /**
   * How long an append waits for a transaction that appends to its aggregate. Less than half of the
   * timeout of a call, because a statement may wait twice: the server must end the wait before we
   * give up on it.
   */
  private static final int LOCK_MILLIS = 4_000;

  private final TransactionRunner transactions;
  private final StoreThreads threads;

  /** For appends that wait, so that they do not hold up other calls. */
  private final StoreThreads waits;

  private final Batcher<AppendRequest, AppendResult> batcher;
  private final EventStatements statements;
  private final MismatchRule mismatchRule;
  private final boolean needsGivenSequence;
  private volatile boolean checked;

  private PostgresEventStore(DataSource dataSource, EventStoreSettings settings) {
    this.transactions = new TransactionRunner(dataSource, StoreThreads.DEFAULT_TIMEOUT);
    this.threads = StoreThreads.of(dataSource, StoreThreads.DEFAULT_TIMEOUT);
    this.waits = StoreThreads.of(dataSource, StoreThreads.DEFAULT_TIMEOUT);
    this.batcher = new Batcher<>(threads, this::sendSingle, this::sendBatch, AppendRequest::bytes);
    this.statements = new EventStatements(settings.schema(), settings.handlerPrefix());
    this.mismatchRule = settings.mismatchRule();
    this.needsGivenSequence = settings.sequenceMode() == SequenceMode.OFF;
  }

  /** Returns the store in the default schema, whose tables {@link EventsSchema} creates. */
  public static PostgresEventStore over(DataSource dataSource) {
    return over(dataSource, EventStoreSettings.DEFAULT);
  }

  /** Returns the store in a schema, with another prefix or another rule. */
  public static PostgresEventStore over(
      DataSource dataSource, String schema, String handlerPrefix, MismatchRule mismatchRule) {
    return over(
        dataSource,
        new EventStoreSettings(SequenceMode.POSTGRES, schema, handlerPrefix, mismatchRule));
  }

  /**
   * Returns the store with settings of the environment. In mode {@link SequenceMode#OFF} callers
   * have to give the sequence; otherwise they may.
   *
   * @throws IllegalArgumentException if the mode is {@link SequenceMode#S3}, which is of no use
   *     here, or {@code dataSource} chooses the database by the calling thread
   */
  public static PostgresEventStore over(DataSource dataSource, EventStoreSettings settings) {
    RoutingSources.refuse(dataSource, "");
    if (settings.sequenceMode() == SequenceMode.S3) {
      throw new IllegalArgumentException(
          "EVENT_STORE_SEQUENCE_ALLOCATOR_MODE must be postgres or off for a store on PostgreSQL,"
              + " got s3 or legacy");
    }
    return new PostgresEventStore(dataSource, settings);
  }

  @Override
  public Appended append(EventData event, AppendCondition condition) {
    AppendRequest request = request(event, condition);
    if (!checked) {
      call("appending event " + event, this::requireRisingIds);
    }
    AppendResult result = batcher.submit(request);
    if (result instanceof AppendResult.Busy) {
      OptionalInt lockMillis = OptionalInt.of(LOCK_MILLIS);
      result =
          waits.call(
              () ->
                  transactions.run(
                      "appending event " + event,
                      it -> statements.append(it, List.of(request), true, lockMillis).get(0)));
    }
    if (result instanceof AppendResult.Duplicate duplicate) {
      return call("finding event " + event, it -> first(it, request, duplicate));
    }
    return appended(request, result);
  }

  /**
   * Appends an event in the caller's transaction: the event exists if that commits.
   *
   * @throws SQLException if the database fails, also because the transaction conflicts with another
   *     one
   */
  public Appended append(Connection connection, EventData event, AppendCondition condition)
      throws SQLException {
    AppendRequest request = request(event, condition);
    if (!checked) {
      requireRisingIds(connection);
    }
    AppendResult result =
        statements.append(connection, List.of(request), true, OptionalInt.empty()).get(0);
    return result instanceof AppendResult.Duplicate duplicate
        ? first(connection, request, duplicate)
        : appended(request, result);
  }

  private AppendRequest request(EventData event, AppendCondition condition) {
    if (needsGivenSequence) {
      SequenceMode.OFF.check(condition);
    }
    return new AppendRequest(event, condition);
  }

  private AppendResult sendSingle(AppendRequest request) {
    try {
      return sendBatch(List.of(request)).get(0).get();
    } catch (StoreUnavailableException e) {
      if (SqlStates.isLockTimeout(e.getCause())) {
        return new AppendResult.Busy();
      }
      throw e;
    }
  }

  private List<Supplier<AppendResult>> sendBatch(List<AppendRequest> requests) {
    OptionalInt lockMillis = OptionalInt.of(BATCH_LOCK_MILLIS);
    return transactions
        .run(
            "appending " + requests.size() + " events",
            it -> statements.append(it, requests, false, lockMillis))
        .stream()
        .map(result -> (Supplier<AppendResult>) () -> result)
        .toList();
  }

  private <T> T call(String what, TransactionRunner.Step<T> step) {
    return threads.call(() -> transactions.run(what, step));
  }

  private boolean requireRisingIds(Connection connection) throws SQLException {
    statements.requireRisingIds(connection);
    checked = true;
    return true;
  }

  private static Appended appended(AppendRequest request, AppendResult result) {
    EventData event = request.event();
    if (result instanceof AppendResult.Done done) {
      return new Appended(new Event(event, done.sequence(), done.time()), false);
    } else if (result instanceof AppendResult.Conflict conflict) {
      AppendCondition condition = request.condition();
      long expected = condition.expected().orElseGet(() -> condition.given().orElseThrow() - 1);
      throw new SequenceConflictException(event.aggregate(), expected, conflict.last());
    }
    throw new AssertionError("unhandled result " + result);
  }

  private Appended first(
      Connection connection, AppendRequest request, AppendResult.Duplicate duplicate)
      throws SQLException {
    EventData event = request.event();
    Fingerprint first = Fingerprint.parse(duplicate.first());
    if (!first.matches(request.fingerprint())) {
      mismatchRule.apply(event, first, request.fingerprint());
    }
    Event found =
        statements
            .find(connection, event.id())
            .orElseThrow(() -> new SQLException("event " + event.id() + " was deleted"));
    return new Appended(found, true);
  }

  @Override
  public Optional<Event> find(String eventId) {
    return call("finding an event", it -> statements.find(it, eventId));
  }

  @Override
  public List<Event> read(Aggregate aggregate, long afterSequence, int limit) {
    Limits.range("limit", limit, 1, MAX_PAGE);
    return call("reading " + aggregate, it -> statements.read(it, aggregate, afterSequence, limit));
  }

  @Override
  public long lastSequence(Aggregate aggregate) {
    return call(
        "reading the sequence of " + aggregate, it -> statements.lastSequence(it, aggregate));
  }

  @Override
  public EventLog log() {
    return new PostgresEventLog(transactions, statements);
  }

  @Override
  public void save(Snapshot snapshot) {
    call("saving a snapshot of " + snapshot.aggregate(), it -> statements.save(it, snapshot));
  }

  @Override
  public Optional<Snapshot> snapshot(Aggregate aggregate) {
    return call("reading the snapshot of " + aggregate, it -> statements.snapshot(it, aggregate));
  }
}
