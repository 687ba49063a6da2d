package dev.once.events;

import dev.once.internal.Limits;
import dev.once.jdbc.internal.TransactionRunner;
import java.time.Instant;
import java.util.Optional;

/** The log of the store on PostgreSQL. */
record PostgresEventLog(TransactionRunner transactions, EventStatements statements)
    implements EventLog {
  @Override
  public Page read(String after, int limit) {
    Limits.range("limit", limit, 1, MAX_PAGE);
    LogPosition position = LogPosition.parse(after);
    return transactions.run("reading the log", it -> statements.readLog(it, position, limit));
  }

  @Override
  public boolean hasLateEvents() {
    return false;
  }

  @Override
  public Optional<Instant> heldSince() {
    return transactions.run("reading the end of the log", statements::heldSince);
  }
}
