package dev.once.spring;

import dev.once.StoreException;
import dev.once.events.Aggregate;
import dev.once.events.AppendCondition;
import dev.once.events.Appended;
import dev.once.events.Event;
import dev.once.events.EventData;
import dev.once.events.EventLog;
import dev.once.events.EventStore;
import dev.once.events.PostgresEventStore;
import dev.once.events.Snapshot;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Appends in the caller's transaction, if there is one: the event exists if that commits. Reads see
 * what is committed.
 */
final class SpringEventStore implements EventStore {
  private final PostgresEventStore store;
  private final @Nullable ManagedTransactions transactions;

  SpringEventStore(PostgresEventStore store, Optional<ManagedTransactions> transactions) {
    this.store = store;
    this.transactions = transactions.orElse(null);
  }

  /** Refuses a transaction of another database: the event could be committed without its cause. */
  @Override
  public Appended append(EventData event, AppendCondition condition) {
    if (transactions == null || !TransactionSynchronizationManager.isActualTransactionActive()) {
      return store.append(event, condition);
    }
    try {
      return store.append(transactions.connection(), event, condition);
    } catch (SQLException e) {
      throw new StoreException("appending event " + event + " failed", e);
    }
  }

  @Override
  public Optional<Event> find(String eventId) {
    return store.find(eventId);
  }

  @Override
  public List<Event> read(Aggregate aggregate, long afterSequence, int limit) {
    return store.read(aggregate, afterSequence, limit);
  }

  @Override
  public long lastSequence(Aggregate aggregate) {
    return store.lastSequence(aggregate);
  }

  @Override
  public EventLog log() {
    return store.log();
  }

  @Override
  public void save(Snapshot snapshot) {
    store.save(snapshot);
  }

  @Override
  public Optional<Snapshot> snapshot(Aggregate aggregate) {
    return store.snapshot(aggregate);
  }
}
