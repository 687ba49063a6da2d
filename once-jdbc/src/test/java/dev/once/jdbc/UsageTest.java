package dev.once.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.once.Codec;
import dev.once.EffectRunner;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.Result;
import dev.once.TenantLimitException;
import dev.once.TenantLimits;
import dev.once.jdbc.TestDatabase.Isolation;
import dev.once.spi.Usage;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a tenant has in the table, and limits on it. */
class UsageTest {
  private static final TestDatabase DATABASE = new TestDatabase("usage");
  private static final JdbcRecordStore STORE = DATABASE.store();
  private static final Usage ALL = new Usage(TenantLimits.UNLIMITED, TenantLimits.UNLIMITED - 1);

  @BeforeEach
  void empty() {
    DATABASE.execute("TRUNCATE once_record");
  }

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @Test
  void countsKeysAndBytesOfOneTenant() {
    fill(5, 100);
    DATABASE.execute("UPDATE once_record SET tenant = 'other' WHERE key = '1'");

    assertThat(STORE.usage("acme", ALL)).isEqualTo(new Usage(4, 400));
    assertThat(STORE.usage("other", ALL)).isEqualTo(new Usage(1, 100));
    assertThat(STORE.usage("unused", ALL)).isEqualTo(Usage.NONE);
  }

  @Test
  void stopsCountingWhereThereAreEnough() {
    fill(50, 100);

    assertThat(STORE.usage("acme", new Usage(10, TenantLimits.UNLIMITED)))
        .isEqualTo(new Usage(10, 0));
  }

  @Test
  void countsNoRecordsThatExpiredTenMinutesAgo() {
    fill(5, 100);

    DATABASE.elapse(Duration.ofMinutes(71));

    assertThat(STORE.usage("acme", ALL)).isEqualTo(Usage.NONE);
  }

  @Test
  void estimatesTheBytesOfMoreRecordsThanItLooksAt() {
    fill(UsageStatement.MAX_ROWS + 1000, 10);

    assertThat(STORE.usage("acme", ALL))
        .isEqualTo(
            new Usage(UsageStatement.MAX_ROWS + 1000, 10L * (UsageStatement.MAX_ROWS + 1000)));
  }

  @Test
  void countsByTheExpiryIndex() {
    fill(5000, 10);
    DATABASE.execute("ANALYZE once_record");

    assertThat(
            String.join(
                "\n",
                DATABASE.query(
                    """
                    EXPLAIN SELECT count(*) FROM (
                      SELECT FROM once_record r WHERE r.tenant = 'b'
                        AND r.expiry_slot > '-infinity'
                        AND r.expiry_slot > clock_timestamp() - interval '10 minutes'
                      LIMIT 1000) AS counted
                    """)))
        .contains("once_record_expiry");
  }

  @Test
  void refusesATenantAtItsLimitInAndOutsideOfTransactions() throws Exception {
    fill(10, 100);
    try (Once once = Once.builder(STORE).limits(TenantLimits.NONE.withMaxLiveKeys(11)).build();
        Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      EffectRunner joined = once.joining(STORE.within(connection));
      assertThat(joined.run(request("new"), execution -> "x")).isInstanceOf(Result.Executed.class);
      connection.commit();

      assertThatExceptionOfType(TenantLimitException.class)
          .isThrownBy(() -> joined.run(request("newer"), execution -> "x"));
      assertThatExceptionOfType(TenantLimitException.class)
          .isThrownBy(() -> once.run(request("newer"), execution -> "x"));
      assertThat(once.run(request("new"), execution -> "y").orThrow()).isEqualTo("x");
    }
  }

  @Test
  void leavesTheCallersTransactionUsableWhenItCannotMeasure() throws Exception {
    try (Once once = Once.builder(STORE).limits(TenantLimits.NONE.withMaxLiveKeys(11)).build();
        Connection connection = DATABASE.begin(Isolation.READ_COMMITTED);
        Statement caller = connection.createStatement()) {
      caller.execute("ALTER TABLE once_record RENAME COLUMN expiry_slot TO hidden");

      assertThat(once.joining(STORE.within(connection)).run(request("new"), execution -> "x"))
          .isInstanceOf(Result.Executed.class);
      connection.rollback();
    }
  }

  private static Request<@Nullable String> request(String key) {
    return Request.of(new Key("acme", "orders", key), Codec.text());
  }

  /** Completed records that expire in an hour. */
  private static void fill(int records, int bytes) {
    DATABASE.execute(
        """
        INSERT INTO once_record (
          tenant, scope, key, format, state, recovery, fingerprint, fence, attempts, created_at,
          lease_until, expires_at, correlation, status, headers, body_form, body_bytes, body)
        SELECT 'acme', 'orders', i, 1, 'completed', 'rerun', 'none:', 1, 1, now(), now(),
          now() + interval '1 hour', '', 0, '', 'raw', %2$d, decode(repeat('aa', %2$d), 'hex')
        FROM generate_series(1, %1$d) AS i
        """
            .formatted(records, bytes));
  }
}
