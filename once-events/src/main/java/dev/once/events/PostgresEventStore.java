package dev.once.events;

import dev.once.Fingerprint;
import dev.once.internal.Limits;
import dev.once.jdbc.internal.TransactionRunner;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * An event store in PostgreSQL. An append is one round trip and one commit. The data source must
 * not join a transaction of the calling thread, which would be committed with the append: for that
 * there is {@link #append(Connection, EventData, AppendCondition)}.
 */
public final class PostgresEventStore implements EventStore {
  /** The prefix of the handlers under which sequences are reserved, unless another is chosen. */
  public static final String DEFAULT_HANDLER_PREFIX = "write_side";

  private final TransactionRunner transactions;
  private final EventStatements statements;
  private final MismatchRule mismatchRule;
  private final boolean needsGivenSequence;
  private volatile boolean checked;

  private PostgresEventStore(DataSource dataSource, EventStoreSettings settings) {
    this.transactions = new TransactionRunner(dataSource);
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
   *     here
   */
  public static PostgresEventStore over(DataSource dataSource, EventStoreSettings settings) {
    if (settings.sequenceMode() == SequenceMode.S3) {
      throw new IllegalArgumentException(
          "EVENT_STORE_SEQUENCE_ALLOCATOR_MODE must be postgres or off for a store on PostgreSQL,"
              + " got s3 or legacy");
    }
    return new PostgresEventStore(dataSource, settings);
  }

  @Override
  public Appended append(EventData event, AppendCondition condition) {
    return transactions.run(
        "appending event " + event, connection -> append(connection, event, condition));
  }

  /**
   * Appends an event in the caller's transaction: the event exists if that commits.
   *
   * @throws SQLException if the database fails, also because the transaction conflicts with another
   *     one
   */
  public Appended append(Connection connection, EventData event, AppendCondition condition)
      throws SQLException {
    if (needsGivenSequence) {
      SequenceMode.OFF.check(condition);
    }
    if (!checked) {
      statements.requireRisingIds(connection);
      checked = true;
    }
    Fingerprint fingerprint = event.fingerprint();
    AppendResult result = statements.append(connection, event, fingerprint, condition);
    if (result instanceof AppendResult.Done done) {
      return new Appended(new Event(event, done.sequence(), done.time()), false);
    } else if (result instanceof AppendResult.Duplicate duplicate) {
      return first(connection, event, fingerprint, duplicate.first());
    } else if (result instanceof AppendResult.Conflict conflict) {
      long expected = condition.expected().orElseGet(() -> condition.given().orElseThrow() - 1);
      throw new SequenceConflictException(event.aggregate(), expected, conflict.last());
    }
    throw new AssertionError("unhandled result " + result);
  }

  private Appended first(
      Connection connection, EventData event, Fingerprint second, Fingerprint first)
      throws SQLException {
    if (!first.matches(second)) {
      mismatchRule.apply(event, first, second);
    }
    Event found =
        statements
            .find(connection, event.id())
            .orElseThrow(() -> new SQLException("event " + event.id() + " was deleted"));
    return new Appended(found, true);
  }

  @Override
  public Optional<Event> find(String eventId) {
    return transactions.run("finding an event", it -> statements.find(it, eventId));
  }

  @Override
  public List<Event> read(Aggregate aggregate, long afterSequence, int limit) {
    Limits.range("limit", limit, 1, MAX_PAGE);
    return transactions.run(
        "reading " + aggregate, it -> statements.read(it, aggregate, afterSequence, limit));
  }

  @Override
  public long lastSequence(Aggregate aggregate) {
    return transactions.run(
        "reading the sequence of " + aggregate, it -> statements.lastSequence(it, aggregate));
  }

  @Override
  public EventLog log() {
    return new PostgresEventLog(transactions, statements);
  }

  @Override
  public void save(Snapshot snapshot) {
    transactions.run(
        "saving a snapshot of " + snapshot.aggregate(), it -> statements.save(it, snapshot));
  }

  @Override
  public Optional<Snapshot> snapshot(Aggregate aggregate) {
    return transactions.run(
        "reading the snapshot of " + aggregate, it -> statements.snapshot(it, aggregate));
  }
}
