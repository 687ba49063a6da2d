package dev.once.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import javax.sql.DataSource;

/** Writers whose transactions stay open, commit late or never, to the store on PostgreSQL. */
final class SimulatedTransactions implements SimulatedWriters {
  private static final int MAX_OPEN = 3;

  private final Random random;
  private final DataSource dataSource;
  private final PostgresEventStore store;
  private final String history;
  private final int aggregates;
  private final String start;
  private final List<Writer> open = new ArrayList<>();
  private final List<Event> committed = new ArrayList<>();
  private int count;

  SimulatedTransactions(Random random, DataSource dataSource, String history, int aggregates) {
    this.random = random;
    this.dataSource = dataSource;
    this.history = history;
    this.aggregates = aggregates;
    this.store = PostgresEventStore.over(dataSource, "sim", "write_side", MismatchRule.ERROR);
    List<String> last =
        new Sql(dataSource)
            .query(
                "SELECT xact || ':' || position FROM sim.event ORDER BY xact DESC, position DESC LIMIT 1");
    this.start = last.isEmpty() ? EventLog.START : last.get(0);
  }

  /** An open transaction, and what it appended. */
  private record Writer(Connection connection, List<Event> appended) {}

  @Override
  public void step() {
    try {
      switch (random.nextInt(8)) {
        case 0, 1 -> appendAlone();
        case 2 -> begin();
        case 3, 4 -> append();
        case 5 -> end(random.nextInt(4) > 0);
        case 6 -> retry();
        default -> end(true);
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private void appendAlone() {
    freeAggregate()
        .ifPresent(it -> committed.add(store.append(newEvent(it), AppendCondition.ANY).event()));
  }

  /** A transaction may get its id long before it appends. */
  private void begin() throws SQLException {
    if (open.size() < MAX_OPEN) {
      Connection connection = dataSource.getConnection();
      connection.setAutoCommit(false);
      if (random.nextBoolean()) {
        Sql.query(connection, "SELECT pg_current_xact_id()");
      }
      open.add(new Writer(connection, new ArrayList<>()));
    }
  }

  private void append() throws SQLException {
    Optional<Aggregate> free = freeAggregate();
    if (open.isEmpty() || free.isEmpty()) {
      return;
    }
    Writer writer = open.get(random.nextInt(open.size()));
    writer.appended.add(
        store.append(writer.connection, newEvent(free.get()), AppendCondition.ANY).event());
  }

  private void end(boolean commits) throws SQLException {
    if (open.isEmpty()) {
      return;
    }
    Writer writer = open.remove(random.nextInt(open.size()));
    try (Connection connection = writer.connection) {
      if (commits) {
        connection.commit();
        committed.addAll(writer.appended);
      } else {
        connection.rollback();
      }
      connection.setAutoCommit(true);
    }
  }

  private void retry() {
    if (!committed.isEmpty()) {
      Event first = committed.get(random.nextInt(committed.size()));
      Appended again = store.append(first.content(), AppendCondition.expecting(0));
      assertThat(again.duplicate()).isTrue();
      assertThat(again.event()).as("a retry gets the first event").hasToString(first.toString());
    }
  }

  @Override
  public void finish() {
    try {
      while (!open.isEmpty()) {
        end(random.nextBoolean());
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** An aggregate to which an open transaction has appended would have to be waited for. */
  private Optional<Aggregate> freeAggregate() {
    Aggregate any = new Aggregate("order", history + random.nextInt(aggregates));
    boolean isLocked =
        open.stream().anyMatch(it -> it.appended.stream().anyMatch(e -> e.aggregate().equals(any)));
    return isLocked ? Optional.empty() : Optional.of(any);
  }

  private EventData newEvent(Aggregate aggregate) {
    return EventData.of(history + "e" + ++count, aggregate, "order.changed", "{}");
  }

  @Override
  public EventLog log() {
    EventLog all = store.log();
    return new EventLog() {
      @Override
      public Page read(String after, int limit) {
        Page page = all.read(after.equals(START) ? start : after, limit);
        // An empty log looks the same whether other histories were written before or not.
        return page.events().isEmpty() ? new Page(List.of(), after) : page;
      }

      @Override
      public Optional<Instant> heldSince() {
        return all.heldSince();
      }
    };
  }

  @Override
  public List<Event> committed() {
    return committed;
  }
}
