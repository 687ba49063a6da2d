package dev.once.events;

import static dev.once.events.TestEvents.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.ClaimAnswer.Claimed;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What statements cost when the tables have many rows, with and without statistics. */
@Tag("any-jdk")
class RegistryPlanTest {
  @RegisterExtension static final RegistryDatabase DATABASE = new RegistryDatabase("plan");

  private static final int ROWS = 20_000;
  private static final int BATCH = 20;

  private final PostgresRegistry registry =
      new PostgresRegistry(DATABASE.events(), RegistryDatabase.HANDLER, false);

  @BeforeEach
  void manyRows() {
    DATABASE.execute(
        """
        ALTER TABLE registry.aggregate_version SET (autovacuum_enabled = off);
        ALTER TABLE registry.processed_event SET (autovacuum_enabled = off);
        INSERT INTO registry.aggregate_version
        SELECT 'projection', 'order/' || n, 10 FROM generate_series(1, %1$d / 10) n;
        INSERT INTO registry.processed_event (handler, event_id, aggregate, sequence, state, owner,
          token, fence, lease_until, heartbeat_at, attempts, started_at, finished_at)
        SELECT 'projection', n::text, 'order/' || n / 10, n %% 10 + 1, 'done', '', 0, 0, t, t, 1,
          t, t
        FROM generate_series(1, %1$d) n, (SELECT clock_timestamp()) AS o (t)
        """
            .formatted(ROWS));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void claimsRenewalsAndSettlementsReadTheirOwnRowsOnly(boolean hasStatistics) throws SQLException {
    analyze(hasStatistics);
    List<EventClaimRequest> requests = new ArrayList<>();
    for (int i = 1; i <= BATCH; i++) {
      requests.add(new EventClaimRequest(event("new-" + i, "" + i, 11), i, false));
    }
    List<EventLease> leases = new ArrayList<>();
    List<ClaimAnswer> answers = registry.claim(requests);
    for (int i = 0; i < BATCH; i++) {
      leases.add(
          new EventLease(
              new PendingEvent(requests.get(i).event()),
              (Claimed) answers.get(i),
              System.nanoTime(),
              registry.lease()));
    }
    List<SettleRequest> done =
        leases.stream().map(it -> new SettleRequest(it, AttemptResult.DONE)).toList();

    try (Connection connection = transaction()) {
      ClaimEventsStatement claim =
          new ClaimEventsStatement("registry", "projection", "", Duration.ofMinutes(1), true);
      claim.execute(connection, requests);
      assertThat(rowsReadIn(connection)).isLessThan(BATCH * 12);
      // A server may notice a closed connection later than the renewal, which leaves out locked
      // rows.
      connection.rollback();
    }
    try (Connection connection = transaction()) {
      assertThat(registry.renew(connection, leases).renewed()).hasSize(BATCH);
      assertThat(rowsReadIn(connection)).isLessThan(BATCH * 12);
    }
    try (Connection connection = transaction()) {
      assertThat(registry.settle(connection, done)).hasSize(BATCH);
      assertThat(rowsReadIn(connection)).isLessThan(BATCH * 12);
    }
  }

  /** A session plans once, and its plans stay until statistics change. */
  @Test
  void aClaimThatWasPlannedOverEmptyTablesStaysCheap() throws SQLException {
    DATABASE.execute("TRUNCATE registry.processed_event, registry.aggregate_version");
    ClaimEventsStatement claim =
        new ClaimEventsStatement("registry", "projection", "", Duration.ofMinutes(1), true);
    try (Connection connection = DATABASE.direct().getConnection()) {
      claim.execute(connection, List.of(new EventClaimRequest(event("first", 1), 1, false)));
      manyRows();
      connection.setAutoCommit(false);

      claim.execute(connection, List.of(new EventClaimRequest(event("second", "7", 11), 2, false)));

      assertThat(rowsReadIn(connection)).isLessThan(12);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPurgeReadsNothingThatHasNotExpired(boolean hasStatistics) throws SQLException {
    DATABASE.execute(
        """
        UPDATE registry.processed_event
        SET started_at = started_at - interval '2 days', finished_at = finished_at - interval '2 days'
        WHERE event_id IN ('10', '20', '30')
        """);
    analyze(hasStatistics);

    try (Connection connection = transaction()) {
      PurgeEventsStatement purge = new PurgeEventsStatement("registry", Duration.ofDays(1));
      assertThat(purge.execute(connection, Instant.EPOCH).deleted()).isEqualTo(3);
      assertThat(rowsReadIn(connection)).isLessThan(50);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void operatorsReadTheRowsThatTheyAskFor(boolean hasStatistics) throws SQLException {
    DATABASE.execute(
        """
        INSERT INTO registry.aggregate_version
        SELECT 'write_side:order', 'order/' || n, 10 FROM generate_series(1, 5000) n;
        UPDATE registry.processed_event SET state = 'dead', died_at = clock_timestamp()
        WHERE event_id IN ('10', '20', '30')
        """);
    analyze(hasStatistics);

    try (Connection connection = transaction()) {
      assertThat(ProcessedEventStatements.find(connection, "registry", "17")).hasSize(1);
      assertThat(rowsReadIn(connection)).isLessThan(5);
    }
    try (Connection connection = transaction()) {
      assertThat(ProcessedEventStatements.lastSequences(connection, "registry", "order/17"))
          .hasSize(1);
      assertThat(rowsReadIn(connection)).isLessThan(10);
    }
    try (Connection connection = transaction()) {
      var start = new ProcessedEventStatements.GivenUpCursor("projection", Instant.EPOCH, "");
      assertThat(
              ProcessedEventStatements.givenUp(
                  connection, "registry", start, ProcessedState.DEAD, 100))
          .hasSize(3);
      assertThat(rowsReadIn(connection)).isLessThan(10);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void redrivingReadsGivenUpEventsOnly(boolean hasStatistics) throws SQLException {
    DATABASE.execute(
        """
        UPDATE registry.processed_event SET state = 'dead', died_at = now()
        WHERE event_id IN ('10', '20', '30')
        """);
    analyze(hasStatistics);

    try (Connection connection = transaction()) {
      Optional<String> all = Optional.empty();
      assertThat(ProcessedEventStatements.redrive(connection, "registry", "projection", all))
          .isEqualTo(3);
      assertThat(rowsReadIn(connection)).isLessThan(20);
    }
    try (Connection connection = transaction()) {
      Optional<String> one = Optional.of("20");
      assertThat(ProcessedEventStatements.redrive(connection, "registry", "projection", one))
          .isEqualTo(1);
      ProcessedEventStatements.find(connection, "registry", "projection", "40");
      ProcessedEventStatements.lastSequence(connection, "registry", "projection", "order/7");
      assertThat(rowsReadIn(connection)).isLessThan(20);
    }
  }

  private static void analyze(boolean hasStatistics) {
    if (hasStatistics) {
      DATABASE.execute("ANALYZE registry.processed_event, registry.aggregate_version");
    } else {
      DATABASE.execute(
          """
          DELETE FROM pg_statistic
          WHERE starelid IN (
            'registry.processed_event'::regclass, 'registry.aggregate_version'::regclass)
          """);
    }
  }

  private static Connection transaction() throws SQLException {
    Connection connection = DATABASE.direct().getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  /** Returns how many rows the transaction has read, as counted by the server. */
  private static long rowsReadIn(Connection connection) throws SQLException {
    String sql =
        """
        SELECT sum(coalesce(idx_tup_fetch, 0) + seq_tup_read) FROM pg_stat_xact_user_tables
        WHERE schemaname = 'registry'
        """;
    return Long.parseLong(Sql.query(connection, sql).get(0));
  }
}
