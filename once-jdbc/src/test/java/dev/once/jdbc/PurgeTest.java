package dev.once.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.Result;
import dev.once.jdbc.TestDatabase.Isolation;
import dev.once.spi.Purge;
import java.sql.Connection;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The purge together with other transactions on the table. */
class PurgeTest {
  private static final TestDatabase DATABASE = new TestDatabase("purge");
  private static final JdbcRecordStore STORE = DATABASE.store();
  private static final Once ONCE = Once.over(STORE);

  @BeforeEach
  void leaveThreeExpiredRecords() {
    DATABASE.execute("DELETE FROM once_record");
    ONCE.run(operation("acme", "1"), execution -> "done");
    ONCE.run(operation("acme", "2"), execution -> "done");
    ONCE.run(operation("globex", "3"), execution -> "done");
    DATABASE.elapse(Duration.ofDays(2));
  }

  @AfterAll
  static void close() {
    ONCE.close();
    DATABASE.close();
  }

  @Test
  void skipsARecordThatATransactionHasTakenOver() throws Exception {
    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      ONCE.joining(STORE.within(connection)).run(operation("acme", "1"), execution -> "again");

      assertThat(STORE.purge(Purge.ofEveryTenant(10))).isEqualTo(2);
      connection.commit();
    }

    Result<@Nullable String> replay = ONCE.run(operation("acme", "1"), execution -> "never");
    assertThat(replay.orThrow()).isEqualTo("again");
  }

  @Test
  void doesNotMakeClaimsOfOtherKeysWait() throws Exception {
    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      assertThat(STORE.adminWithin(connection).purge(Purge.ofEveryTenant(10))).isEqualTo(3);

      assertThat(ONCE.run(operation("acme", "new"), execution -> "done"))
          .isInstanceOf(Result.Executed.class);
      connection.rollback();
    }
  }

  @Test
  void removesWhatIsThereInBatchesUntilNothingIsLeft() {
    assertThat(STORE.purge(Purge.ofEveryTenant(2))).isEqualTo(2);
    assertThat(STORE.purge(Purge.ofEveryTenant(2))).isEqualTo(1);
    assertThat(STORE.purge(Purge.ofEveryTenant(2))).isZero();
    assertThat(DATABASE.query("SELECT key FROM once_record")).isEmpty();
  }

  /** Otherwise a tenant that expires many records would keep all after it from being purged. */
  @Test
  void beginsWhereTheLastPurgeOfEveryTenantStopped() {
    assertThat(STORE.purge(Purge.ofEveryTenant(2))).isEqualTo(2);
    ONCE.run(operation("acme", "4"), execution -> "done");
    DATABASE.elapse(Duration.ofDays(2));

    assertThat(STORE.purge(Purge.ofEveryTenant(1))).isEqualTo(1);

    assertThat(DATABASE.query("SELECT tenant FROM once_record")).containsExactly("acme");
    assertThat(STORE.purge(Purge.ofEveryTenant(2))).isEqualTo(1);
  }

  @Test
  void goesThroughMoreTenantsThanOneStatementLooksAt() {
    int tenants = PurgeStatement.MAX_TENANTS + 500;
    DATABASE.execute(
        """
        INSERT INTO once_record (
          tenant, scope, key, format, state, recovery, fingerprint, fence, attempts, created_at,
          lease_until, expires_at, correlation, status, headers, body_form, body_bytes)
        SELECT 'many-' || n, scope, key, format, state, recovery, fingerprint, fence, attempts,
          created_at, lease_until, expires_at, correlation, status, headers, body_form, body_bytes
        FROM once_record, generate_series(1, %d) AS n
        WHERE tenant = 'globex'
        """
            .formatted(tenants));

    assertThat(STORE.purge(Purge.ofEveryTenant(10_000))).isEqualTo(tenants + 3);
  }

  private static Request<@Nullable String> operation(String tenant, String key) {
    return Request.of(new Key(tenant, "orders", key), Codec.text());
  }
}
