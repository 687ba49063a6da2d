package dev.once.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.spi.Purge;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the store reports about the size of its table. */
class CensusTest {
  private static final TestDatabase DATABASE = new TestDatabase("census");
  private static final JdbcRecordStore STORE = DATABASE.store();

  @BeforeEach
  void empty() {
    DATABASE.execute("TRUNCATE once_record");
  }

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @Test
  void countsWhatTheDatabaseHasNoEstimateOf() {
    assertThat(STORE.census()).isEqualTo(new RecordCensus(0, 0));

    insert(30, Duration.ofHours(1));

    assertThat(STORE.census()).isEqualTo(new RecordCensus(30, 0));
  }

  /** PostgreSQL's own estimate stays at zero until about fifty more rows have come. */
  @Test
  void countsAFewRecordsAfterAVacuumThatFoundNone() {
    insert(30, Duration.ofHours(1));
    DATABASE.execute("DELETE FROM once_record");
    DATABASE.execute("VACUUM (ANALYZE, TRUNCATE false) once_record");
    assertThat(STORE.entries()).isZero();

    insert(3, Duration.ofHours(1));

    assertThat(STORE.entries()).isEqualTo(3);
    assertThat(STORE.census()).isEqualTo(new RecordCensus(3, 0));
  }

  @Test
  void estimatesEntriesFromTheLastVacuumAndTheSizeSince() {
    insert(20_000, Duration.ofHours(1));
    DATABASE.execute("ANALYZE once_record");
    assertThat(STORE.census().entries()).isEqualTo(20_000);

    insert(20_000, Duration.ofHours(1));

    assertThat(STORE.census().entries()).isBetween(39_000L, 41_000L);
  }

  @Test
  void countsTheExpiredRecordsOfEveryTenantUntilTheyArePurged() {
    insert(50, Duration.ofHours(1));
    insert(40, Duration.ofHours(-1));
    assertThat(STORE.census().stale()).isEqualTo(40);

    STORE.purge(Purge.ofEveryTenant(15));

    assertThat(STORE.census().stale()).isEqualTo(25);
  }

  @Test
  void countsNoFurtherThanItsLimit() {
    insert(RecordCensus.MAX_COUNT + 500, Duration.ofHours(-1));

    assertThat(STORE.census())
        .isEqualTo(new RecordCensus(RecordCensus.MAX_COUNT, RecordCensus.MAX_COUNT));
  }

  @Test
  void findsExpiredRecordsByTheirIndex() {
    insert(20_000, Duration.ofHours(1));
    DATABASE.execute("ANALYZE once_record");

    String plan = String.join("\n", DATABASE.query("EXPLAIN " + CensusStatement.SQL));

    assertThat(plan).contains("once_record_expiry");
  }

  /** Records of seven tenants that expire {@code in} so long. */
  private static void insert(int records, Duration in) {
    DATABASE.execute(
        """
        INSERT INTO once_record (
          tenant, scope, key, format, state, recovery, fingerprint, fence, attempts, created_at,
          lease_until, expires_at, correlation, status, headers, body_form, body_bytes)
        SELECT 'tenant-' || n %% 7, 'orders', gen_random_uuid(), 1, 'completed', 'rerun', 'f', n, 1,
          now(), now(), now() + interval '%d s', '', 0, '', 'none', 0
        FROM generate_series(1, %d) AS n
        """
            .formatted(in.toSeconds(), records));
  }
}
