package dev.once.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.Codec;
import dev.once.Key;
import dev.once.Once;
import dev.once.Payload;
import dev.once.Request;
import dev.once.Result;
import dev.once.StoreException;
import dev.once.StoreUnavailableException;
import dev.once.Terms;
import dev.once.jdbc.TestDatabase.Isolation;
import dev.once.jdbc.internal.SqlStates;
import dev.once.testkit.Sql;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** What the statements cost and leave behind in the database. */
class StatementTest {
  private static final TestDatabase DATABASE = new TestDatabase("statements");
  private static final JdbcRecordStore STORE = DATABASE.store();
  private static final Once ONCE = Once.over(STORE);

  private final Request<byte @Nullable []> upload =
      Request.of(new Key("acme", "uploads", UUID.randomUUID().toString()), Codec.bytes());

  @AfterAll
  static void close() {
    ONCE.close();
    DATABASE.close();
  }

  @Test
  void needsTwoStatementsForANewKeyAndOneForAReplay() {
    CountingDataSource counting = new CountingDataSource(DATABASE.dataSource());
    try (Once once = Once.over(JdbcRecordStore.over(counting.dataSource()))) {
      counting.reset();

      once.run(upload, execution -> new byte[] {1});
      assertThat(counting.executions()).isEqualTo(2);
      once.run(upload, execution -> new byte[] {2});
      assertThat(counting.executions()).isEqualTo(3);
    }
  }

  @Test
  void writesNothingForAReplay() throws Exception {
    ONCE.run(upload, execution -> new byte[] {1});

    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      Result<byte @Nullable []> replay =
          ONCE.joining(STORE.within(connection)).run(upload, execution -> null);

      assertThat(replay).isInstanceOf(Result.Replayed.class);
      assertThat(Sql.query(connection, "SELECT pg_current_xact_id_if_assigned()"))
          .containsExactly("null");
    }
  }

  @Test
  void findsAKeyByThePrimaryKeyBeforeTheTableHasStatistics() {
    DATABASE.execute(
        """
        CREATE TABLE fresh (LIKE once_record INCLUDING ALL);
        """);

    List<String> plan =
        DATABASE.query(
            "EXPLAIN SELECT * FROM fresh WHERE tenant = 'a' AND scope = 'b' AND key = 'c'");

    assertThat(String.join("\n", plan)).contains("fresh_pkey");
  }

  @Test
  void completesInPlace() {
    DATABASE.execute("TRUNCATE once_record");
    // An empty page has room, so an update is in place unless an indexed column changed.
    Terms shortLease = Terms.DEFAULT.withLease(Terms.MIN_LEASE);

    ONCE.run(upload.withTerms(shortLease), execution -> new byte[] {1});

    DATABASE.execute("CREATE EXTENSION IF NOT EXISTS pageinspect");
    assertThat(
            DATABASE.query(
                "SELECT count(*) FROM heap_page_items(get_raw_page('once_record', 0))"
                    + " WHERE (t_infomask2 & 32768) > 0"))
        .as("row versions that no index points to")
        .containsExactly("1");
  }

  @Test
  void writesOneRowVersionInACallersTransaction() throws Exception {
    DATABASE.execute("TRUNCATE once_record");
    try (Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      ONCE.joining(STORE.within(connection)).run(upload, execution -> new byte[] {1});
      connection.commit();
    }

    assertThat(DATABASE.query("SELECT ctid FROM once_record")).containsExactly("(0,1)");
  }

  @Test
  void compressesLargeBodiesThatShrink() {
    assertThat(storedForm(new byte[100_000])).isEqualTo("deflate");
    assertThat(storedForm(new byte[1023])).isEqualTo("raw");
    byte[] noise = new byte[100_000];
    new Random(7).nextBytes(noise);
    assertThat(storedForm(noise)).isEqualTo("raw");
  }

  @Test
  void leavesRecordsOfANewerReleaseAlone() {
    ONCE.run(upload, execution -> new byte[] {1});
    DATABASE.execute("UPDATE once_record SET format = 2");
    List<String> before = DATABASE.query("SELECT once_record::text FROM once_record");

    assertThatThrownBy(() -> ONCE.run(upload, execution -> new byte[] {2}))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("has format 2, this release knows up to 1: upgrade this node");
    assertThatThrownBy(() -> STORE.find(upload.key())).isInstanceOf(StoreException.class);

    assertThat(DATABASE.query("SELECT once_record::text FROM once_record")).isEqualTo(before);
    DATABASE.execute("DELETE FROM once_record");
  }

  @Test
  void namesTheKeyByItsHashInErrors() {
    DATABASE.execute("ALTER TABLE once_record RENAME TO hidden");
    try {
      assertThatThrownBy(() -> STORE.find(upload.key()))
          .isInstanceOf(StoreException.class)
          .hasMessageStartingWith("find of acme/uploads/#")
          .hasMessageNotContaining(upload.key().value());
    } finally {
      DATABASE.execute("ALTER TABLE hidden RENAME TO once_record");
    }
  }

  /** The driver quotes the statement and its values when a batch fails. */
  @Test
  void quotesNoValuesOfAFailedBatch() {
    SQLException server =
        new SQLException("ERROR: canceling\n  Detail: Key (key)=(secret)", "57014");
    BatchUpdateException batch =
        new BatchUpdateException("Batch entry 0 UPDATE … key = ('secret')", "57014", 0, new int[0]);
    batch.setNextException(server);

    assertThat(SqlStates.messageOf(batch)).isEqualTo("ERROR: canceling");
    assertThat((Throwable) SqlStates.realOf(batch)).isSameAs(server);
  }

  @Test
  void worksWithConnectionsThatDoNotCommitByThemselves() {
    HikariConfig config = new HikariConfig();
    config.setDataSource(DATABASE.database());
    config.setAutoCommit(false);
    try (HikariDataSource pool = new HikariDataSource(config);
        Once once = Once.over(JdbcRecordStore.over(pool))) {
      once.run(upload, execution -> new byte[] {1});
    }

    assertThat(ONCE.run(upload, execution -> null)).isInstanceOf(Result.Replayed.class);
  }

  private String storedForm(byte[] body) {
    Request<byte @Nullable []> request =
        Request.of(new Key("acme", "bodies", UUID.randomUUID().toString()), Codec.bytes());
    ONCE.run(request, execution -> body);
    assertThat(ONCE.run(request, execution -> null).orThrow()).isEqualTo(body);
    assertThat(STORE.find(request.key()).orElseThrow().outcome().orElseThrow().payload())
        .isEqualTo(Payload.of(body));
    return DATABASE
        .query("SELECT body_form FROM once_record WHERE key = '" + request.key().value() + "'")
        .get(0);
  }
}
