package dev.once.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Codec;
import dev.once.EffectRunner;
import dev.once.EffectState;
import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.LeaseLostException;
import dev.once.Once;
import dev.once.Recovery;
import dev.once.Request;
import dev.once.Result;
import dev.once.Terms;
import dev.once.jdbc.TestDatabase.Isolation;
import dev.once.spi.RecordStore;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Claim, business write and outcome in one transaction of the caller. */
class TransactionTest {
  private static final TestDatabase DATABASE = new TestDatabase("transactions");
  private static final JdbcRecordStore STORE = DATABASE.store();
  private static final Once ONCE = Once.over(STORE);

  private final Request<@Nullable String> order =
      Request.of(new Key("acme", "orders", UUID.randomUUID().toString()), Codec.text())
          .withFingerprint(Fingerprint.sha256("two books"));

  @BeforeEach
  void createBusinessTable() {
    DATABASE.execute("DROP TABLE IF EXISTS placed; CREATE TABLE placed (what text)");
  }

  @AfterAll
  static void close() {
    ONCE.close();
    DATABASE.close();
  }

  @ParameterizedTest
  @EnumSource
  void commitsClaimBusinessWriteAndOutcomeTogether(Isolation isolation) throws Exception {
    try (Connection connection = DATABASE.begin(isolation)) {
      Result<@Nullable String> first = place(connection, "books");
      assertThat(STORE.find(order.key())).isEmpty();
      assertThat(placed()).isEmpty();
      connection.commit();

      assertThat(first).isEqualTo(new Result.Executed<>(order.key(), "books"));
    }

    try (Connection connection = DATABASE.begin(isolation)) {
      assertThat(place(connection, "more books").orThrow()).isEqualTo("books");
      connection.commit();
    }
    assertThat(placed()).containsExactly("books");
  }

  @ParameterizedTest
  @EnumSource
  void leavesNothingAfterARollback(Isolation isolation) throws Exception {
    try (Connection connection = DATABASE.begin(isolation)) {
      place(connection, "books");
      connection.rollback();
    }

    assertThat(STORE.find(order.key())).isEmpty();
    try (Connection connection = DATABASE.begin(isolation)) {
      assertThat(place(connection, "others")).isInstanceOf(Result.Executed.class);
      connection.commit();
    }
    assertThat(placed()).containsExactly("others");
  }

  @ParameterizedTest
  @EnumSource
  void undoesAFailedEffectAndLetsTheTransactionGoOn(Isolation isolation) throws Exception {
    try (Connection connection = DATABASE.begin(isolation)) {
      Sql.execute(connection, "INSERT INTO placed VALUES ('before')");
      EffectRunner joined = ONCE.joining(STORE.within(connection));

      assertThatThrownBy(
              () ->
                  joined.run(
                      order,
                      execution -> {
                        Sql.execute(connection, "INSERT INTO placed VALUES ('undone')");
                        throw new IllegalStateException("out of stock");
                      }))
          .hasMessage("out of stock");
      Sql.execute(connection, "INSERT INTO placed VALUES ('after')");
      connection.commit();
    }

    assertThat(placed()).containsExactly("before", "after");
    assertThat(STORE.find(order.key())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void undoesAnEffectWhoseOwnStatementBrokeTheTransaction(Isolation isolation) throws Exception {
    try (Connection connection = DATABASE.begin(isolation)) {
      EffectRunner joined = ONCE.joining(STORE.within(connection));

      assertThatThrownBy(
              () ->
                  joined.run(
                      order,
                      execution -> {
                        Sql.execute(connection, "INSERT INTO no_such_table VALUES (1)");
                        return "never";
                      }))
          .isInstanceOf(SQLException.class);
      Sql.execute(connection, "INSERT INTO placed VALUES ('after')");
      connection.commit();
    }

    assertThat(placed()).containsExactly("after");
  }

  @ParameterizedTest
  @EnumSource
  void tellsADuplicateItIsHeldWhileTheFirstIsOpen(Isolation isolation) throws Exception {
    try (Connection first = DATABASE.begin(isolation);
        Connection second = DATABASE.begin(isolation)) {
      place(first, "books");

      Result<@Nullable String> duplicate = place(second, "books");

      assertThat(duplicate).isInstanceOf(Result.Held.class);
      Sql.execute(second, "INSERT INTO placed VALUES ('still usable')");
      first.commit();
      second.commit();
    }
    assertThat(placed()).containsExactlyInAnyOrder("books", "still usable");
  }

  @ParameterizedTest
  @EnumSource
  void executesInTheSecondTransactionWhenTheFirstRollsBack(Isolation isolation) throws Exception {
    try (Connection first = DATABASE.begin(isolation);
        Connection second = DATABASE.begin(isolation)) {
      place(first, "lost");
      assertThat(place(second, "books")).isInstanceOf(Result.Held.class);

      first.rollback();

      assertThat(place(second, "books")).isInstanceOf(Result.Executed.class);
      second.commit();
    }
    assertThat(placed()).containsExactly("books");
  }

  /** REPEATABLE READ caller: its snapshot is older than the outcome. */
  @ParameterizedTest
  @EnumSource(names = {"REPEATABLE_READ", "SERIALIZABLE"})
  void holdsADuplicateWhoseSnapshotIsOlderThanTheOutcome(Isolation isolation) throws Exception {
    try (Connection late = DATABASE.begin(isolation)) {
      Sql.query(late, "SELECT count(*) FROM once_record");
      try (Connection first = DATABASE.begin(isolation)) {
        place(first, "books");
        first.commit();
      }

      assertThat(place(late, "books")).isEqualTo(new Result.Held<>(order.key(), Duration.ZERO));
      Sql.execute(late, "INSERT INTO placed VALUES ('not poisoned')");
      late.commit();
    }

    try (Connection fresh = DATABASE.begin(isolation)) {
      assertThat(place(fresh, "books")).isInstanceOf(Result.Replayed.class);
    }
    assertThat(placed()).containsExactlyInAnyOrder("books", "not poisoned");
  }

  @Test
  void seesAnOutcomeCommittedAfterItsTransactionBegan() throws Exception {
    try (Connection late = DATABASE.begin(Isolation.READ_COMMITTED)) {
      Sql.query(late, "SELECT count(*) FROM once_record");
      try (Connection first = DATABASE.begin(Isolation.READ_COMMITTED)) {
        place(first, "books");
        first.commit();
      }

      assertThat(place(late, "books")).isInstanceOf(Result.Replayed.class);
    }
  }

  @Test
  void waitsForTheFirstTransactionAndReplaysItsOutcome() throws Exception {
    CountDownLatch placed = new CountDownLatch(1);
    Request<@Nullable String> patient =
        order.withTerms(Terms.DEFAULT.withMaxWait(Duration.ofSeconds(30)));
    try (Connection first = DATABASE.begin(Isolation.READ_COMMITTED);
        Connection second = DATABASE.begin(Isolation.READ_COMMITTED)) {
      place(first, "books");
      CompletableFuture<Result<@Nullable String>> duplicate =
          CompletableFuture.supplyAsync(
              () -> {
                placed.countDown();
                return ONCE.joining(STORE.within(second)).run(patient, execution -> "never");
              });
      assertThat(placed.await(10, TimeUnit.SECONDS)).isTrue();
      first.commit();

      assertThat(duplicate.get(30, TimeUnit.SECONDS).orThrow()).isEqualTo("books");
    }
  }

  @Test
  void refusesAnotherPayload() throws Exception {
    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      place(connection, "books");
      connection.commit();

      Result<@Nullable String> other =
          ONCE.joining(STORE.within(connection))
              .run(order.withFingerprint(Fingerprint.sha256("a car")), execution -> "never");

      assertThat(other).isEqualTo(new Result.Mismatched<>(order.key()));
    }
  }

  @Test
  void refusesAConnectionThatCommitsByItself() throws Exception {
    try (Connection connection = DATABASE.dataSource().getConnection()) {
      assertThatThrownBy(() -> STORE.within(connection))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("setAutoCommit(false)");
    }
  }

  @Test
  void saysThatATransactionIsBrokenAlready() throws Exception {
    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      assertThatThrownBy(() -> Sql.execute(connection, "SELECT 1 / 0"))
          .isInstanceOf(SQLException.class);

      assertThatThrownBy(() -> place(connection, "books"))
          .hasMessageContaining("current transaction is aborted");
    }
    assertThat(STORE.find(order.key())).isEmpty();
  }

  @Test
  void nestsOperationsInOneTransaction() throws Exception {
    Request<@Nullable String> inner = newItem();
    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      EffectRunner joined = ONCE.joining(STORE.within(connection));
      joined.run(
          order,
          execution -> {
            joined.run(inner, it -> insert(connection, "item"));
            ONCE.joining(STORE.within(connection)).run(inner, it -> insert(connection, "twice"));
            return insert(connection, "order");
          });
      connection.commit();
    }

    assertThat(placed()).containsExactly("item", "order");
    assertThat(STORE.find(inner.key())).isPresent();
    assertThat(STORE.find(order.key())).isPresent();
  }

  @Test
  void undoesTheOuterOperationWithItsReplayedInnerOne() throws Exception {
    Request<@Nullable String> inner = newItem();
    ONCE.run(inner, execution -> "done before");
    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      EffectRunner joined = ONCE.joining(STORE.within(connection));

      assertThatThrownBy(
              () ->
                  joined.run(
                      order,
                      execution -> {
                        insert(connection, "undone");
                        ONCE.joining(STORE.within(connection)).run(inner, it -> "never");
                        throw new IllegalStateException("late failure");
                      }))
          .hasMessage("late failure");
      connection.commit();
    }

    assertThat(placed()).isEmpty();
    assertThat(STORE.find(order.key())).isEmpty();
    assertThat(STORE.find(inner.key())).isPresent();
  }

  @Test
  void completesAnInnerOperationThatTookLongerThanItsRetention() throws Exception {
    Request<@Nullable String> inner = newItem();
    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      EffectRunner joined = ONCE.joining(STORE.within(connection));
      joined.run(
          order,
          execution -> {
            joined.run(
                inner,
                it -> {
                  Sql.execute(connection, TestDatabase.elapsing(Duration.ofDays(2)));
                  return insert(connection, "slow item");
                });
            return insert(connection, "order");
          });
      connection.commit();
    }

    assertThat(placed()).containsExactly("slow item", "order");
    assertThat(STORE.find(inner.key())).isPresent();
  }

  /** Something in the effect removed the record: then the effect has to be undone, and only it. */
  @Test
  void undoesTheInnerOperationAloneWhenItsRecordIsGone() throws Exception {
    Request<@Nullable String> inner = newItem();
    assertThatThrownBy(() -> ONCE.run(inner, it -> failToDeliver())).hasMessage("not delivered");
    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      EffectRunner joined = ONCE.joining(STORE.within(connection));
      joined.run(
          order,
          execution -> {
            insert(connection, "order");
            assertThatThrownBy(() -> joined.run(inner, it -> deleteRecords(connection)))
                .isInstanceOf(LeaseLostException.class);
            return "placed";
          });
      connection.commit();
    }

    assertThat(placed()).containsExactly("order");
    assertThat(STORE.find(order.key())).isPresent();
  }

  @Test
  void givesTheLockOfAKeyBackThatIsNotGranted() throws Exception {
    ONCE.run(order, execution -> "books");
    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      assertThat(place(connection, "more books")).isInstanceOf(Result.Replayed.class);

      assertThat(
              Sql.query(
                  connection,
                  "SELECT count(*) FROM pg_locks"
                      + " WHERE locktype = 'advisory' AND pid = pg_backend_pid()"))
          .containsExactly("0");
    }
  }

  @Test
  void doesNotMakeALeasedClaimWaitForAnOpenTransaction() throws Exception {
    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      place(connection, "books");

      assertThat(ONCE.run(order, execution -> "never")).isInstanceOf(Result.Held.class);
      connection.commit();
    }

    assertThat(ONCE.run(order, execution -> "never").orThrow()).isEqualTo("books");
  }

  @Test
  void reconcilesAnUncertainRecordInsideATransaction() throws Exception {
    Request<@Nullable String> payment = order.withTerms(Terms.DEFAULT.withRecovery(Recovery.ASK));
    assertThatThrownBy(
            () ->
                ONCE.run(
                    payment,
                    execution -> {
                      throw new IllegalStateException("line cut");
                    }))
        .hasMessage("line cut");

    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      RecordStore transaction = STORE.within(connection);
      Result<@Nullable String> unknown =
          ONCE.joining(transaction)
              .run(payment.withReconciler(it -> EffectState.unknown()), it -> "never");
      Result<@Nullable String> happened =
          ONCE.joining(transaction)
              .run(payment.withReconciler(it -> EffectState.happened("paid")), it -> "never");
      connection.commit();

      assertThat(unknown).isInstanceOf(Result.Uncertain.class);
      assertThat(happened.orThrow()).isEqualTo("paid");
    }
    assertThat(ONCE.run(payment, execution -> "never").orThrow()).isEqualTo("paid");
  }

  private Result<@Nullable String> place(Connection connection, String what) throws SQLException {
    return ONCE.joining(STORE.within(connection)).run(order, execution -> insert(connection, what));
  }

  private static String insert(Connection connection, String what) throws SQLException {
    Sql.execute(connection, "INSERT INTO placed VALUES ('" + what + "')");
    return what;
  }

  /** An operation that is nested in the order. */
  private static Request<@Nullable String> newItem() {
    return Request.of(new Key("acme", "items", UUID.randomUUID().toString()), Codec.text());
  }

  private static String deleteRecords(Connection connection) throws SQLException {
    Sql.execute(connection, "DELETE FROM once_record WHERE scope = 'items'");
    return insert(connection, "undone");
  }

  private static List<String> placed() {
    return DATABASE.query("SELECT what FROM placed");
  }

  private static String failToDeliver() {
    throw new IllegalStateException("not delivered");
  }
}
