package dev.once.events;

import dev.once.Fingerprint;
import dev.once.internal.Limits;
import dev.once.jdbc.internal.TransactionRunner;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** An event store in PostgreSQL. An append is one round trip and one commit. */
public final class PostgresEventStore implements EventStore {
  /** The prefix of the handlers under which sequences are reserved, unless another is chosen. */
  public static final String DEFAULT_HANDLER_PREFIX = "write_side";

  private final TransactionRunner transactions;
  private final EventStatements statements;
  private final MismatchRule mismatchRule;
  private volatile boolean checked;

  private PostgresEventStore(
      DataSource dataSource, EventStatements statements, MismatchRule mismatchRule) {
    this.transactions = new TransactionRunner(dataSource);
    this.statements = statements;
    this.mismatchRule = mismatchRule;
  }

  /** Returns the store in the default schema, whose tables {@link EventsSchema} creates. */
  public static PostgresEventStore over(DataSource dataSource) {
    return over(dataSource, EventsSchema.DEFAULT_NAME, DEFAULT_HANDLER_PREFIX, MismatchRule.ERROR);
  }

  /** Returns the store in a schema, with another prefix or another rule. */
  public static PostgresEventStore over(
      DataSource dataSource, String schema, String handlerPrefix, MismatchRule mismatchRule) {
    return new PostgresEventStore(
        dataSource, new EventStatements(schema, handlerPrefix), mismatchRule);
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
