package dev.once.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Codec;
import dev.once.EffectRunner;
import dev.once.Key;
import dev.once.Once;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.Request;
import dev.once.StoreException;
import dev.once.jdbc.TestDatabase.Isolation;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.Purge;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No call waits for a transaction that another caller keeps open. */
@Tag("any-jdk")
@Timeout(20)
class OpenTransactionTest {
  private static final TestDatabase DATABASE = new TestDatabase("open");
  private static final JdbcRecordStore STORE = DATABASE.store();
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final Outcome OUTCOME = Outcome.completed(Payload.NONE);

  private final ClaimRequest request = request(UUID.randomUUID().toString());

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @Test
  void refusesALateOwnerWhoseKeyIsBeingTakenOverInATransaction() throws Exception {
    Claim.Granted late = (Claim.Granted) STORE.claim(request.withNewToken());
    DATABASE.elapse(LEASE);
    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      assertThat(STORE.within(connection).claim(request.withNewToken()))
          .isInstanceOf(Claim.Granted.class);

      long started = System.nanoTime();
      assertBusy(() -> STORE.complete(late, OUTCOME, LEASE));
      assertThat(System.nanoTime() - started).isGreaterThan(TimeUnit.SECONDS.toNanos(1));
      assertBusy(() -> STORE.renew(late, LEASE));
      assertBusy(() -> STORE.release(late));
      connection.rollback();
    }

    STORE.complete(late, OUTCOME, LEASE);
    assertThat(STORE.claim(request.withNewToken())).isInstanceOf(Claim.Replay.class);
  }

  @Test
  void completesOthersWhileOneOfThemIsBeingTakenOver() throws Exception {
    Claim.Granted late = (Claim.Granted) STORE.claim(request.withNewToken());
    Claim.Granted other = (Claim.Granted) STORE.claim(request(UUID.randomUUID().toString()));
    DATABASE.execute(
        "UPDATE once_record SET lease_until = created_at WHERE key = '%s'"
            .formatted(late.key().value()));
    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      STORE.within(connection).claim(request.withNewToken());

      STORE.complete(other, OUTCOME, LEASE);

      connection.rollback();
    }
  }

  @Test
  void holdsAKeyThatIsBeingPurgedInATransaction() throws Exception {
    STORE.claim(request.withNewToken());
    DATABASE.elapse(LEASE.multipliedBy(3));
    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      STORE.adminWithin(connection).purge(Purge.of(request.key().tenant(), 100));

      assertThat(STORE.claim(request.withNewToken())).isEqualTo(new Claim.Held(Duration.ZERO));
      connection.rollback();
    }
    assertThat(STORE.claim(request.withNewToken())).isInstanceOf(Claim.Granted.class);
  }

  @Test
  void undoesTheOuterOperationWhenTheInnerOneMeetsARecordItCannotRead() throws Exception {
    STORE.claim(request.withNewToken());
    DATABASE.execute(
        "UPDATE once_record SET format = 2 WHERE key = '%s'".formatted(request.key().value()));
    var inner = Request.of(request.key(), Codec.text());
    var outer = Request.of(request(UUID.randomUUID().toString()).key(), Codec.text());
    DATABASE.execute("CREATE TABLE written (what text)");
    try (Once once = Once.over(STORE);
        Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      EffectRunner joined = once.joining(STORE.within(connection));

      assertThatThrownBy(
              () ->
                  joined.run(
                      outer,
                      execution -> {
                        Sql.execute(connection, "INSERT INTO written VALUES ('outer')");
                        return joined.run(inner, it -> "never").orThrow();
                      }))
          .hasMessageContaining("upgrade this node");
      connection.commit();
    }

    assertThat(DATABASE.query("SELECT what FROM written")).isEmpty();
    assertThat(STORE.find(outer.key())).isEmpty();
  }

  @Test
  void leavesTheOuterOperationAloneWhenItsTransactionIsBroken() throws Exception {
    var outer = Request.of(request.key(), Codec.text());
    var inner = Request.of(request(UUID.randomUUID().toString()).key(), Codec.text());
    try (Once once = Once.over(STORE);
        Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      EffectRunner joined = once.joining(STORE.within(connection));
      Sql.execute(connection, "CREATE TEMP TABLE mine (what text) ON COMMIT DROP");

      assertThatThrownBy(
              () ->
                  joined.run(
                      outer,
                      execution -> {
                        assertThatThrownBy(() -> Sql.execute(connection, "SELECT 1 / 0"))
                            .hasMessageContaining("division by zero");
                        return joined.run(inner, it -> "never").orThrow();
                      }))
          .hasMessageContaining("current transaction is aborted");

      Sql.execute(connection, "INSERT INTO mine VALUES ('still here')");
      assertThat(Sql.query(connection, "SELECT what FROM mine")).hasSize(1);
    }
  }

  @Test
  void saysThatAnEffectMustNotEndItsTransaction() throws Exception {
    try (Once once = Once.over(STORE);
        Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      assertThatThrownBy(
              () ->
                  once.joining(STORE.within(connection))
                      .run(
                          Request.of(request.key(), Codec.text()),
                          execution -> {
                            connection.commit();
                            return "done";
                          }))
          .hasMessageContaining("leave that to the caller");
    }
  }

  /** In Berlin the clocks change twice within these 300 days. */
  @Test
  void renewsByTheSameRetentionInEveryTimeZone() throws Exception {
    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      Sql.execute(connection, "SET LOCAL TimeZone = 'Europe/Berlin'");
      var transaction = STORE.within(connection);
      ClaimRequest year = ClaimRequest.of(request.key(), LEASE, Duration.ofDays(200));
      Claim.Granted owner = (Claim.Granted) STORE.claim(year);

      for (int beat = 0; beat < 5; beat++) {
        transaction.renew(owner, LEASE);
      }

      var view = transaction.find(request.key()).orElseThrow();
      assertThat(Duration.between(view.leaseUntil(), view.expiresAt()))
          .isEqualTo(Duration.ofDays(200));
    }
  }

  private static void assertBusy(Runnable transition) {
    assertThatThrownBy(transition::run)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("is locked by another open transaction");
  }

  private static ClaimRequest request(String key) {
    return ClaimRequest.of(new Key("acme", "orders", key), LEASE, LEASE);
  }
}
