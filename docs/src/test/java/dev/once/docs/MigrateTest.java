package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Codec;
import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** The code of docs/guides/migrate.md, beside nodes that know the old table alone. */
class MigrateTest {
  private final PGSimpleDataSource database = EmbeddedPostgres.shared().newDatabase("migrate");
  private final AtomicInteger effects = new AtomicInteger();
  private final JdbcRecordStore store;
  private final Once once;

  MigrateTest() {
    JdbcSchema.apply(database);
    store = JdbcRecordStore.over(database);
    once = Once.over(store);
  }

  @BeforeEach
  void createTheOldTable() throws SQLException {
    String table = Repository.page("docs/guides/migrate.md").blocksIn("sql").get(0);
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(table);
    }
  }

  @AfterEach
  void close() {
    once.close();
  }

  @Test
  void answersFromTheOldTable() throws SQLException {
    insertOld("k-1", "receipt of the old release");

    assertThat(chargeAndCommit("k-1", "boots")).isEqualTo("receipt of the old release");
    assertThat(effects).hasValue(0);
  }

  @Test
  void nodesOfTheOldReleaseFindWhatWasCharged() throws SQLException {
    assertThat(chargeAndCommit("k-1", "boots")).isEqualTo("receipt 1");
    assertThat(chargeAndCommit("k-1", "boots")).isEqualTo("receipt 1");

    assertThat(effects).hasValue(1);
    try (Connection connection = database.getConnection()) {
      assertThat(oldAnswer(connection, "acme", "k-1")).contains("receipt 1");
    }
  }

  @Test
  void aFasterNodeOfTheOldReleaseWins() throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      assertThatThrownBy(
              () ->
                  charge(
                      connection,
                      "k-1",
                      "boots",
                      // The old release inserts after the look-up, and before the insert.
                      () -> insertOld("k-1", "receipt of the old release")))
          .hasMessageContaining("idempotency_key");
      connection.rollback();
    }

    assertThat(chargeAndCommit("k-1", "boots")).isEqualTo("receipt of the old release");
  }

  private interface Meanwhile {
    void run() throws SQLException;
  }

  private String chargeAndCommit(String key, String order) throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      String answer = charge(connection, key, order, () -> {});
      connection.commit();
      return answer;
    }
  }

  private String charge(Connection connection, String key, String order, Meanwhile meanwhile)
      throws SQLException {
    // snippet: both
    Optional<String> old = oldAnswer(connection, "acme", key);
    if (old.isPresent()) {
      return old.get();
    }
    Request<@Nullable String> request =
        Request.of(new Key("acme", "charges", key), Codec.text())
            .withFingerprint(Fingerprint.sha256("POST", "/charges", order));
    String answer =
        once.joining(store.within(connection))
            .run(
                request,
                execution -> {
                  String receipt = writeCharge(connection, meanwhile);
                  insertOld(connection, "acme", key, receipt); // for nodes of the old release
                  return receipt;
                })
            .orThrow();
    // end
    return String.valueOf(answer);
  }

  private String writeCharge(Connection connection, Meanwhile meanwhile) throws SQLException {
    assertThat(connection.getAutoCommit()).isFalse();
    meanwhile.run();
    return "receipt " + effects.incrementAndGet();
  }

  private void insertOld(String key, String answer) throws SQLException {
    try (Connection connection = database.getConnection()) {
      insertOld(connection, "acme", key, answer);
    }
  }

  private static void insertOld(Connection connection, String tenant, String key, String answer)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO idempotency_key VALUES (?, ?, ?)")) {
      statement.setString(1, tenant);
      statement.setString(2, key);
      statement.setString(3, answer);
      statement.executeUpdate();
    }
  }

  private static Optional<String> oldAnswer(Connection connection, String tenant, String key)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT answer FROM idempotency_key WHERE tenant = ? AND key = ?")) {
      statement.setString(1, tenant);
      statement.setString(2, key);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
      }
    }
  }
}
