package dev.once.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Key;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.Sealing;
import dev.once.jdbc.TestDatabase.Isolation;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.Packing;
import dev.once.spi.Purge;
import dev.once.spi.RecordQuery;
import dev.once.spi.RecordStore;
import dev.once.spi.Usage;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every statement finds its rows by an index, in a table of many live records. */
@Tag("any-jdk")
class PlanTest {
  private static final TestDatabase DATABASE = new TestDatabase("plans");
  private static final Packing PLAIN = Packing.of(Sealing.NONE);
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final Outcome OUTCOME = Outcome.completed(Payload.NONE);
  private static final int LIVE = 30_000;

  @BeforeAll
  static void fill() {
    DATABASE.execute(
        """
        INSERT INTO once_record (
          tenant, scope, key, format, state, recovery, fingerprint, fence, attempts, created_at,
          lease_until, expires_at, correlation, status, headers, body_form, body_bytes)
        SELECT 'tenant-' || n %% 3, 'orders', 'key-' || n, 1, 'completed', 'rerun', 'none:', 1, 1,
          now(), now(),
          now() + CASE WHEN n > %1$d THEN interval '-1 hour' ELSE interval '1 hour' END, '', 0, '',
          'none', 0
        FROM generate_series(1, %1$d + 100) AS n
        """
            .formatted(LIVE));
    DATABASE.execute("VACUUM ANALYZE once_record");
  }

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @Test
  void claimsAndCompletesByThePrimaryKey() throws Exception {
    assertReadsNoTable(
        connection -> {
          for (DuplicateRate rate : List.of(rate(0), rate(1_000))) {
            List<BatchedCall> claims =
                List.of(claimCall("new-1"), claimCall("key-1"), claimCall("new-2"));
            var answers = new RecordBatch(claims, PLAIN).send(connection, rate);
            Claim.Granted grant =
                (Claim.Granted) ((BatchedAnswer.Claimed) answers.get(0).get()).claim();
            List<BatchedCall> mixed =
                List.of(CompletionCall.of(grant, OUTCOME, LEASE, PLAIN), claimCall("key-2"));
            new RecordBatch(mixed, PLAIN).send(connection, rate);
            connection.rollback();
          }
        });
  }

  @Test
  void searchesByThePrimaryKey() throws Exception {
    assertReadsNoTable(
        connection -> {
          RecordSearch search = RecordSearch.of("tenant-1").withLimit(10);
          SearchStatement.execute(connection, search, 100);
          SearchStatement.execute(connection, RecordSearch.ofEveryTenant(), 100);
          SearchStatement.execute(connection, search.inScope("orders"), 100);
          SearchStatement.execute(connection, search.inScope("orders").withValue("key-1"), 100);
          SearchStatement.execute(connection, search.withValue("key-1"), 100);
        });
  }

  @Test
  void takesOverByThePrimaryKey() throws Exception {
    assertReadsNoTable(
        connection -> {
          Claim.Granted late = granted(SingleClaim.execute(connection, claimCall("late"), PLAIN));
          Sql.execute(
              connection,
              "UPDATE once_record SET lease_until = created_at"
                  + " WHERE tenant = 'tenant-1' AND scope = 'orders' AND key = 'late'");
          Claim.Granted next = granted(SingleClaim.execute(connection, claimCall("late"), PLAIN));
          RenewStatement.execute(connection, next, LEASE);
          ReleaseStatement.execute(connection, late);
          CompleteStatement.execute(connection, CompletionCall.of(next, OUTCOME, LEASE, PLAIN));
        });
  }

  @Test
  void joinsATransactionByThePrimaryKey() throws Exception {
    assertReadsNoTable(
        connection -> {
          RecordStore store = DATABASE.store().within(connection);
          Claim claim = store.claim(claimCall("joined").request());
          store.complete((Claim.Granted) claim, OUTCOME, LEASE);
          store.claim(claimCall("joined").request());
        });
  }

  @Test
  void operatesByThePrimaryKey() throws Exception {
    Key key = claimCall("key-3").key();
    assertReadsNoTable(
        connection -> {
          FindStatement.execute(connection, key, PLAIN);
          ReopenStatement.execute(connection, key);
          ExpireStatement.execute(connection, key);
          ListStatement.execute(connection, RecordQuery.of("tenant-1", "orders").withLimit(10));
        });
  }

  @Test
  void purgesAndCountsByTheExpiryIndex() throws Exception {
    assertReadsNoTable(
        connection -> {
          CensusStatement.execute(connection);
          UsageStatement.execute(connection, "tenant-1", new Usage(10, 10));
          PurgeStatement.execute(connection, Purge.of("tenant-1", 10), new PurgeCursor());
          PurgeStatement.execute(connection, Purge.ofEveryTenant(10), new PurgeCursor());
        });
  }

  /** The time bounds the index scan; as a filter it would read every live record of a tenant. */
  @Test
  void readsNoLiveRecordForAPurge() throws Exception {
    for (String sql : List.of(PurgeStatement.ONE_TENANT, PurgeStatement.EVERY_TENANT)) {
      assertThat(plan(sql, "('tenant-1', 10, 10)"))
          .contains("once_record_expiry")
          .containsPattern("Index Cond: .*expiry_slot <= statement_timestamp\\(\\)");
    }
    assertThat(plan(CensusStatement.SQL, ""))
        .containsPattern("Index Cond: .*expiry_slot <= statement_timestamp\\(\\)");
  }

  private static String plan(String sql, String values) throws SQLException {
    String numbered = sql;
    for (int i = 1; numbered.contains("?"); i++) {
      numbered = numbered.replaceFirst("\\?", "\\$" + i);
    }
    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      Sql.execute(connection, "SET LOCAL plan_cache_mode = force_generic_plan");
      Sql.execute(connection, "PREPARE planned AS " + numbered);
      String plan = String.join("\n", Sql.query(connection, "EXPLAIN EXECUTE planned" + values));
      Sql.execute(connection, "DEALLOCATE planned");
      return plan;
    }
  }

  private static DuplicateRate rate(int duplicates) {
    DuplicateRate rate = new DuplicateRate();
    rate.saw(1_000, duplicates);
    return rate;
  }

  private static ClaimCall claimCall(String key) {
    return new ClaimCall(ClaimRequest.of(new Key("tenant-1", "orders", key), LEASE, LEASE));
  }

  private static Claim.Granted granted(BatchedAnswer answer) {
    return (Claim.Granted) ((BatchedAnswer.Claimed) answer).claim();
  }

  private interface Step {
    void run(Connection connection) throws SQLException;
  }

  /** Counts the scans of the whole table that {@code step} makes. */
  private static void assertReadsNoTable(Step step) throws SQLException {
    String scans = "SELECT pg_stat_get_xact_numscans('once_record'::regclass)";
    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      List<String> before = Sql.query(connection, scans);
      step.run(connection);
      assertThat(Sql.query(connection, scans)).as("sequential scans").isEqualTo(before);
      connection.rollback();
    }
  }
}
