package dev.once.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Key;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.StoreException;
import dev.once.jdbc.TestDatabase.Isolation;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.RecordAdmin;
import dev.once.spi.State;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What operators cost, and how they behave with open transactions and other releases. */
@Timeout(20)
class OperatorTest {
  private static final TestDatabase DATABASE = new TestDatabase("operators");
  private static final JdbcRecordStore STORE = DATABASE.store();
  private static final Duration LEASE = Duration.ofMinutes(1);

  private final Key key = new Key("acme", "orders", UUID.randomUUID().toString());
  private final ClaimRequest request = ClaimRequest.of(key, LEASE, LEASE);

  @BeforeEach
  void createAuditTable() {
    DATABASE.execute("DROP TABLE IF EXISTS audit; CREATE TABLE audit (what text)");
  }

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @Test
  void needsOneStatementToReopenAndOneToExpire() {
    CountingDataSource counting = new CountingDataSource(DATABASE.dataSource());
    RecordAdmin store = JdbcRecordStore.over(counting.dataSource());
    claim();
    counting.reset();

    assertThat(store.reopen(key)).isTrue();
    assertThat(store.expire(key)).isTrue();

    assertThat(counting.executions()).isEqualTo(2);
  }

  @Test
  void raisesTheFenceOfAnExpiredRecordAlsoIfTheClockWasSetBack() {
    STORE.release(claim());
    DATABASE.execute("UPDATE once_record SET fence = fence + 1000000000000");
    long fence = STORE.find(key).orElseThrow().fence();

    STORE.expire(key);

    assertThat(claim().fence()).isGreaterThan(fence);
  }

  @Test
  void leavesRecordsOfANewerReleaseAlone() {
    claim();
    DATABASE.execute("UPDATE once_record SET format = 2");
    List<String> before = DATABASE.query("SELECT once_record::text FROM once_record");

    assertThatThrownBy(() -> STORE.reopen(key)).hasMessageContaining("upgrade this node");
    DATABASE.elapse(LEASE);
    assertThatThrownBy(() -> STORE.expire(key)).hasMessageContaining("upgrade this node");

    DATABASE.elapse(LEASE.negated());
    assertThat(DATABASE.query("SELECT once_record::text FROM once_record")).isEqualTo(before);
    DATABASE.execute("DELETE FROM once_record");
  }

  @Test
  void waitsForNoOpenTransaction() throws Exception {
    claim();
    DATABASE.elapse(LEASE);
    try (Connection owner = DATABASE.begin(Isolation.READ_COMMITTED);
        Connection operator = DATABASE.begin(Isolation.READ_COMMITTED)) {
      assertThat(STORE.within(owner).claim(request.withNewToken()))
          .isInstanceOf(Claim.Granted.class);

      assertBusy(() -> STORE.reopen(key));
      assertBusy(() -> STORE.expire(key));
      assertBusy(() -> STORE.adminWithin(operator).reopen(key));
      assertBusy(() -> STORE.adminWithin(operator).expire(key));
      Sql.execute(operator, "INSERT INTO audit VALUES ('still usable')");
      owner.rollback();

      assertThat(STORE.adminWithin(operator).reopen(key)).isTrue();
      operator.commit();
    }
    assertThat(state()).isEqualTo(State.OPEN);
  }

  @ParameterizedTest
  @EnumSource
  void reopensTogetherWithWhatTheTransactionWritesAboutIt(Isolation isolation) throws Exception {
    claim();
    try (Connection connection = DATABASE.begin(isolation)) {
      assertThat(STORE.adminWithin(connection).reopen(key)).isTrue();
      Sql.execute(connection, "INSERT INTO audit VALUES ('reopened by ann')");
      assertThat(STORE.claim(request.withNewToken())).isInstanceOf(Claim.Held.class);
      connection.commit();
    }

    assertThat(DATABASE.query("SELECT what FROM audit")).containsExactly("reopened by ann");
    assertThat(claim().attempt()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void expiresTogetherWithWhatTheTransactionWritesAboutIt(Isolation isolation) throws Exception {
    STORE.complete(claim(), Outcome.completed(Payload.NONE), LEASE);
    try (Connection connection = DATABASE.begin(isolation)) {
      assertThat(STORE.adminWithin(connection).expire(key)).isTrue();
      assertThat(STORE.within(connection).find(key)).isEmpty();
      assertThat(STORE.claim(request.withNewToken())).isInstanceOf(Claim.Replay.class);
      connection.commit();
    }

    assertThat(claim().attempt()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void changesNothingIfTheTransactionRollsBack(Isolation isolation) throws Exception {
    claim();
    try (Connection connection = DATABASE.begin(isolation)) {
      RecordAdmin transaction = STORE.adminWithin(connection);
      assertThat(transaction.expire(key)).isFalse();
      assertThat(transaction.reopen(key)).isTrue();
      assertThat(transaction.expire(key)).isTrue();
      connection.rollback();
    }

    assertThat(state()).isEqualTo(State.IN_PROGRESS);
  }

  /** Its snapshot is older than the completion: PostgreSQL refuses, and the caller begins anew. */
  @ParameterizedTest
  @EnumSource(names = {"REPEATABLE_READ", "SERIALIZABLE"})
  void reopensNothingThatCompletedSinceTheTransactionBegan(Isolation isolation) throws Exception {
    Claim.Granted owner = claim();
    try (Connection connection = DATABASE.begin(isolation)) {
      Sql.query(connection, "SELECT count(*) FROM once_record");
      STORE.complete(owner, Outcome.completed(Payload.NONE), LEASE);

      assertThatThrownBy(() -> STORE.adminWithin(connection).reopen(key))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("could not serialize access");
      connection.rollback();

      assertThat(STORE.adminWithin(connection).reopen(key)).isFalse();
    }
    assertThat(state()).isEqualTo(State.COMPLETED);
  }

  private Claim.Granted claim() {
    return (Claim.Granted) STORE.claim(request.withNewToken());
  }

  private State state() {
    return STORE.find(key).orElseThrow().state();
  }

  private static void assertBusy(Runnable operation) {
    assertThatThrownBy(operation::run)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("is locked by another open transaction");
  }
}
