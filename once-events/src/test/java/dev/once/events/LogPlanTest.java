package dev.once.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.internal.PostgresSequences;
import dev.once.jdbc.internal.TransactionRunner;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What statements on the log cost when it is long, with statistics and without. */
@Tag("any-jdk")
@Execution(ExecutionMode.SAME_THREAD)
class LogPlanTest {
  private static final int ROWS = 120_000;
  private static final int PAGE = 20;
  private static final EventStatements STATEMENTS =
      new EventStatements(EventsSchema.DEFAULT_NAME, "write_side");

  private static EventDatabase database;

  @BeforeAll
  static void manyEvents() {
    database = new EventDatabase("log_plan");
    database.execute(
        """
        INSERT INTO spice_event_registry.event (
          aggregate, sequence, event_id, xact, appended_at, aggregate_type, aggregate_id, kind, type,
          source, content_type, fingerprint, metadata, data)
        SELECT 'order/' || n / 10, n % 10 + 1, 'e' || n, n / 100, now(), 'order', (n / 10)::text,
          'event', 'order.changed', '/', 'application/json', 'f', '{}', '{}'
        FROM generate_series(1, ROWS) n;
        UPDATE spice_event_registry.log_offset SET value = ROWS / 100;
        INSERT INTO spice_event_registry.sequence_reservation
        SELECT 'other', 'e' || n, 'order/' || n, 1, 'f', now(), now() + interval '1 hour'
        FROM generate_series(1, 10000) n
        """
            .replace("ROWS", String.valueOf(ROWS)));
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void readingAPageReadsItsRowsOnly() throws SQLException {
    for (boolean hasStatistics : List.of(false, true)) {
      analyze(hasStatistics);
      for (LogPosition from :
          List.of(new LogPosition(0, 0), new LogPosition(600, 1), new LogPosition(1199, 1))) {
        long rows = rowsReadBy(it -> STATEMENTS.readLog(it, from, PAGE).events());
        assertThat(rows).as("after %s, statistics %s", from, hasStatistics).isLessThan(PAGE + 10);
      }
      long atTheEnd =
          rowsReadBy(it -> STATEMENTS.readLog(it, new LogPosition(ROWS, 0), PAGE).events());
      assertThat(atTheEnd).isLessThan(10);
    }
  }

  @Test
  void theOldestWaitingEventIsFoundWithoutReadingTheLog() throws SQLException {
    for (boolean hasStatistics : List.of(false, true)) {
      analyze(hasStatistics);

      long rows = rowsReadBy(STATEMENTS::heldSince);

      assertThat(rows).as("statistics %s", hasStatistics).isLessThan(10);
    }
  }

  @Test
  void findingAnEventAndReadingAnAggregateReadTheirRowsOnly() throws SQLException {
    assertThat(rowsReadBy(it -> STATEMENTS.find(it, "e5000"))).isLessThan(5);
    assertThat(rowsReadBy(it -> STATEMENTS.read(it, new Aggregate("order", "77"), 0, 100)))
        .isLessThan(15);
    assertThat(rowsReadBy(it -> STATEMENTS.lastSequence(it, new Aggregate("order", "77"))))
        .isLessThan(5);
  }

  @Test
  void theEndOfALogOfReservationsIsFoundWithoutThoseOfOthers() {
    PostgresSequences sequences =
        new PostgresSequences(
            database.dataSource(), EventsSchema.DEFAULT_NAME, "mine", Duration.ofMinutes(1));
    database.execute("SELECT pg_stat_reset()");
    new TransactionRunner(database.dataSource()).run("flushing", it -> Optional.empty());

    sequences.settledBefore();
    sequences.expired(10);

    database.execute("SELECT pg_stat_force_next_flush()");
    String read =
        database
            .query(
                """
                SELECT coalesce(sum(coalesce(idx_tup_fetch, 0) + seq_tup_read), 0)
                FROM pg_stat_user_tables WHERE relname = 'sequence_reservation'
                """)
            .get(0);
    assertThat(Long.parseLong(read)).isLessThan(100);
  }

  private static void analyze(boolean hasStatistics) {
    if (hasStatistics) {
      database.execute("ANALYZE");
    }
  }

  /** Returns how many rows a statement reads, as counted by the server. */
  private static long rowsReadBy(TransactionRunner.Step<?> statement) throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      long before = rowsRead(connection); // The server sums up statistics only now and then.
      statement.run(connection);
      long rows = rowsRead(connection) - before;
      connection.rollback();
      connection.setAutoCommit(true);
      return rows;
    }
  }

  private static long rowsRead(Connection connection) throws SQLException {
    String sql =
        """
        SELECT coalesce(sum(coalesce(idx_tup_fetch, 0) + seq_tup_read), 0)
        FROM pg_stat_xact_user_tables WHERE relname IN ('event', 'aggregate_version')
        """;
    return Long.parseLong(Sql.query(connection, sql).get(0));
  }
}
