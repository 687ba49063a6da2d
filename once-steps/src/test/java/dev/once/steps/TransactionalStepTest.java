package dev.once.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.Once;
import dev.once.Result;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import dev.once.testkit.ConcurrentCalls;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A step's result and its writes are one commit. */
class TransactionalStepTest {
  private static final PGSimpleDataSource DATABASE =
      EmbeddedPostgres.shared().newDatabase("steps-transactional");
  private static final RunId RUN = new RunId("acme", "order-42");
  private static final Step<@Nullable String> RESERVE = Step.of("reserve", Codec.text());

  private final Sql sql = new Sql(DATABASE);
  private JdbcRecordStore store;
  private Once once;

  @BeforeEach
  void open() {
    JdbcSchema.apply(DATABASE);
    sql.execute("CREATE TABLE IF NOT EXISTS stock (item text)");
    sql.execute("TRUNCATE stock, once_record");
    store = JdbcRecordStore.over(DATABASE);
    once = Once.over(store);
  }

  @AfterEach
  void close() {
    once.close();
  }

  @Test
  void nothingIsThereUntilTheCallerCommits() throws Exception {
    try (Connection connection = begin()) {
      reserve(connection);
      connection.rollback();
    }

    assertThat(sql.query("SELECT item FROM stock")).isEmpty();
    assertThat(RunHistory.over(store).steps(RUN)).isEmpty();
  }

  @Test
  void resultAndWritesAreThereAfterTheCommit() throws Exception {
    try (Connection connection = begin()) {
      assertThat(reserve(connection)).isInstanceOf(Result.Executed.class);
      connection.commit();
    }
    try (Connection connection = begin()) {
      assertThat(reserve(connection).orThrow()).isEqualTo("reserved");
      connection.commit();
    }

    assertThat(sql.query("SELECT item FROM stock")).containsExactly("chair");
    assertThat(RunHistory.over(store).steps(RUN))
        .extracting(StepView::name)
        .containsExactly("reserve");
  }

  @Test
  void ofManyAtOnceOneWrites() throws Exception {
    List<Boolean> executed =
        ConcurrentCalls.together(
            ConcurrentCalls.times(
                12,
                () -> {
                  try (Connection connection = begin()) {
                    Result<@Nullable String> result = reserve(connection);
                    connection.commit();
                    return result instanceof Result.Executed;
                  }
                }));

    assertThat(executed).containsOnlyOnce(true);
    assertThat(sql.query("SELECT item FROM stock")).containsExactly("chair");
  }

  private Result<@Nullable String> reserve(Connection connection) throws SQLException {
    return Steps.over(once)
        .joining(store.within(connection))
        .run(
            RUN,
            RESERVE,
            "{\"item\": \"chair\"}",
            execution -> {
              Sql.execute(connection, "INSERT INTO stock VALUES ('chair')");
              return "reserved";
            });
  }

  private static Connection begin() throws SQLException {
    Connection connection = DATABASE.getConnection();
    connection.setAutoCommit(false);
    return connection;
  }
}
