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
import dev.once.OutcomeUnknownException;
import dev.once.Recovery;
import dev.once.Request;
import dev.once.Result;
import dev.once.Terms;
import dev.once.jdbc.TestDatabase.Isolation;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Claim, business write and outcome in a transaction that is for them alone. */
class DedicatedTransactionTest {
  private static final TestDatabase DATABASE = new TestDatabase("dedicated");
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
  void commitsAllOfItTogetherAndReplaysIt(Isolation isolation) throws Exception {
    try (Connection connection = DATABASE.begin(isolation)) {
      assertThat(place(connection, "books")).isInstanceOf(Result.Executed.class);
      assertThat(STORE.find(order.key())).isEmpty();
      connection.commit();
    }
    try (Connection connection = DATABASE.begin(isolation)) {
      assertThat(place(connection, "more")).isInstanceOf(Result.Replayed.class);
      connection.commit();
    }

    assertThat(placed()).containsExactly("books");
  }

  @ParameterizedTest
  @EnumSource
  void leavesNothingOfAnEffectThatFails(Isolation isolation) throws Exception {
    try (Connection connection = DATABASE.begin(isolation)) {
      assertThatThrownBy(
              () ->
                  joined(connection)
                      .run(
                          order,
                          execution -> {
                            insert(connection, "books");
                            throw new IllegalStateException("out of stock");
                          }))
          .hasMessage("out of stock");
      connection.commit(); // Commits nothing, although the caller did not roll back.
    }

    assertThat(placed()).isEmpty();
    assertThat(STORE.find(order.key())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void tellsADuplicateItIsHeldWhileTheFirstIsOpen(Isolation isolation) throws Exception {
    try (Connection first = DATABASE.begin(isolation);
        Connection second = DATABASE.begin(isolation)) {
      place(first, "books");

      assertThat(place(second, "more")).isInstanceOf(Result.Held.class);
      second.commit();
      first.commit();
    }

    assertThat(placed()).containsExactly("books");
  }

  @ParameterizedTest
  @EnumSource
  void takesANewSnapshotForAnOutcomeThatIsNewerThanItsTransaction(Isolation isolation)
      throws Exception {
    try (Connection late = DATABASE.begin(isolation)) {
      try (Statement statement = late.createStatement()) {
        statement.execute("SELECT count(*) FROM placed"); // A snapshot from before.
      }
      try (Connection first = DATABASE.begin(isolation)) {
        place(first, "books");
        first.commit();
      }

      assertThat(place(late, "more")).isInstanceOf(Result.Replayed.class);
      late.commit();
    }
  }

  @Test
  void commitsWithTheOutcomeWhereTheCallerSaysSo() throws Exception {
    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      ONCE.joining(STORE.dedicated(connection, () -> true))
          .run(
              order,
              execution -> {
                insert(connection, "books");
                return "books";
              });

      assertThat(placed()).containsExactly("books");
      assertThat(STORE.find(order.key())).isPresent();
      connection.rollback(); // There is nothing left to undo.
    }

    assertThat(ONCE.run(order, execution -> "never").orThrow()).isEqualTo("books");
  }

  /** Under REPEATABLE READ, the grant rule writes the record after the look-up. */
  @ParameterizedTest
  @EnumSource
  void keepsTheClaimOnARollbackToItsSavepoint(Isolation isolation) throws Exception {
    try (Connection connection = DATABASE.begin(isolation)) {
      placeAgain(connection);
      connection.commit();
    }

    assertThat(placed()).containsExactly("pens");
    assertThat(ONCE.run(order, execution -> "never").orThrow()).isEqualTo("pens");
  }

  @Test
  void keepsTheClaimOfAnOpenRecordOnARollbackToItsSavepoint() throws Exception {
    assertThatThrownBy(() -> ONCE.run(order, execution -> fail())).hasMessage("timed out");
    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      placeAgain(connection);
      connection.commit();
    }

    assertThat(placed()).containsExactly("pens");
    assertThat(ONCE.run(order, execution -> "never").orThrow()).isEqualTo("pens");
  }

  /** Places books, undoes that, and places pens. */
  private void placeAgain(Connection connection) throws SQLException {
    ONCE.joining(STORE.dedicatedWithSavepoint(connection, () -> false))
        .run(
            order,
            execution -> {
              insert(connection, "books");
              try (Statement statement = connection.createStatement()) {
                statement.execute("ROLLBACK TO SAVEPOINT " + JdbcRecordStore.CLAIM_SAVEPOINT);
              }
              insert(connection, "pens");
              return "pens";
            });
  }

  /** The record came from a program that does not know the advisory lock. */
  @Test
  void commitsNothingWhenTheKeyWasTakenWithoutItsLock() throws Exception {
    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      EffectRunner joined = ONCE.joining(STORE.dedicated(connection, () -> true));

      assertThatThrownBy(
              () ->
                  joined.run(
                      order,
                      execution -> {
                        insert(connection, "books");
                        insertForeignRecord();
                        return "books";
                      }))
          .isInstanceOf(LeaseLostException.class);
    }

    assertThat(placed()).isEmpty();
  }

  @Test
  void saysUnknownWhenTheConnectionFailsWhileItCommits() throws Exception {
    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      String pid = Sql.query(connection, "SELECT pg_backend_pid()").get(0);
      EffectRunner joined = ONCE.joining(STORE.dedicated(connection, () -> true));

      assertThatThrownBy(
              () ->
                  joined.run(
                      order,
                      execution -> {
                        DATABASE.execute("SELECT pg_terminate_backend(" + pid + ")");
                        return "books";
                      }))
          .isInstanceOf(OutcomeUnknownException.class);
    }
  }

  @Test
  void leavesAnUncertainRecordAsItWas() throws Exception {
    Request<@Nullable String> asking =
        order
            .withTerms(Terms.DEFAULT.withRecovery(Recovery.ASK).withLease(Duration.ofMillis(100)))
            .withReconciler(execution -> EffectState.unknown());
    assertThatThrownBy(() -> ONCE.run(asking, execution -> fail())).hasMessage("timed out");

    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      assertThat(joined(connection).run(asking, execution -> "never"))
          .isInstanceOf(Result.Uncertain.class);
      connection.commit();
    }

    assertThat(ONCE.run(asking, execution -> "never")).isInstanceOf(Result.Uncertain.class);
  }

  private void insertForeignRecord() {
    DATABASE.execute(
        """
        INSERT INTO once_record (
          tenant, scope, key, format, state, recovery, fingerprint, fence, attempts, created_at,
          lease_until, expires_at, correlation, status, headers, body_form, body_bytes)
        VALUES ('acme', 'orders', '%s', 1, 'open', 'rerun', 'none:', 1, 1, now(), now(),
          now() + interval '1 hour', '', 0, '', 'none', 0)
        """
            .formatted(order.key().value()));
  }

  private static EffectRunner joined(Connection connection) {
    return ONCE.joining(STORE.dedicated(connection));
  }

  private Result<@Nullable String> place(Connection connection, String what) throws SQLException {
    return joined(connection)
        .run(
            order,
            execution -> {
              insert(connection, what);
              return what;
            });
  }

  private static void insert(Connection connection, String what) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO placed VALUES ('" + what + "')");
    }
  }

  private static String fail() {
    throw new IllegalStateException("timed out");
  }

  private static List<String> placed() {
    return DATABASE.query("SELECT what FROM placed ORDER BY what");
  }
}
