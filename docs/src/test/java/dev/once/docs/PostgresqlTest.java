package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.Codec;
import dev.once.Key;
import dev.once.LeaseLostException;
import dev.once.Once;
import dev.once.Recovery;
import dev.once.Request;
import dev.once.Result;
import dev.once.Terms;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.events.EventsSchema;
import dev.once.inbox.InboxSchema;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import dev.once.jdbc.TenantRouting;
import dev.once.jobs.JobsSchema;
import dev.once.spi.Purge;
import dev.once.spi.RecordAdmin;
import dev.once.spi.RecordView;
import dev.once.spi.State;
import dev.once.webhooks.WebhooksSchema;
import dev.once.workflow.WorkflowsSchema;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** The examples, the SQL and the numbers of docs/operating/postgresql.md. */
class PostgresqlTest {
  private static final Page PAGE = Repository.page("docs/operating/postgresql.md");

  private final EmbeddedPostgres server = EmbeddedPostgres.shared();
  private final PGSimpleDataSource database = server.newDatabase("operating");
  private final Request<@Nullable String> order =
      Request.of(new Key("acme", "orders", "web-7f3a"), Codec.text());

  private static final ThreadLocal<@Nullable String> CURRENT_TENANT = new ThreadLocal<>();

  @Test
  void findsTheDatabaseOfATenant() {
    DataSource routingDataSource = database;
    JdbcSchema.apply(database);
    // snippet: routing
    JdbcRecordStore store =
        JdbcRecordStore.builder(routingDataSource)
            .routing(
                new TenantRouting() {
                  @Override
                  public void within(String tenant, Runnable call) {
                    CURRENT_TENANT.set(tenant);
                    try {
                      call.run();
                    } finally {
                      CURRENT_TENANT.remove();
                    }
                  }

                  @Override
                  public Collection<String> tenants() {
                    return List.of("acme", "globex");
                  }
                })
            .build();
    // end

    try (Once once = Once.over(store)) {
      assertThat(once.run(order, execution -> "done").orThrow()).isEqualTo("done");
    }
  }

  @Test
  void worksThroughAPool() {
    String url = server.url(String.valueOf(database.getDatabaseName()));
    String user = server.user();
    String password = server.password();
    // snippet: pool
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setPassword(password);
    config.setMaximumPoolSize(16);
    config.setConnectionTimeout(2_000);
    config.addDataSourceProperty("socketTimeout", "10");

    HikariDataSource pool = new HikariDataSource(config);
    JdbcSchema.apply(pool);
    JdbcRecordStore store = JdbcRecordStore.over(pool);
    Once once = Once.over(store);
    // end
    assertThat(once.run(order, execution -> "done")).isInstanceOf(Result.Executed.class);
    once.close();
    pool.close();
  }

  @Test
  void purgesInBatchesUntilNothingIsLeft() throws Exception {
    JdbcSchema.apply(database);
    JdbcRecordStore store = JdbcRecordStore.over(database);
    try (Once once = Once.over(store)) {
      once.run(order, execution -> "done");
    }
    execute("UPDATE once_record SET expires_at = clock_timestamp() - interval '1 hour'");

    assertThat(purgeAll(store)).isEqualTo(1);

    assertThat(store.purge(purgeOfOneTenant())).isZero();
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    // snippet: hourly
    ScheduledFuture<?> job =
        timer.scheduleWithFixedDelay(() -> purgeAll(store), 0, 1, TimeUnit.HOURS);
    // end
    job.cancel(false);
    timer.shutdown();
    assertThat(timer.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
  }

  // snippet: purge
  static long purgeAll(RecordAdmin store) {
    long total = 0;
    int removed;
    do {
      removed = store.purge(Purge.ofEveryTenant(1_000));
      total += removed;
    } while (removed > 0);
    return total;
  }

  // end

  private static Purge purgeOfOneTenant() {
    // snippet: tenant
    Purge ofOneTenant = Purge.of("acme", 1_000);
    // end
    return ofOneTenant;
  }

  @Test
  void findsARecord() {
    JdbcSchema.apply(database);
    JdbcRecordStore store = JdbcRecordStore.over(database);
    // snippet: find
    Optional<RecordView> record = store.find(new Key("acme", "orders", "web-7f3a"));
    // end
    assertThat(record).isEmpty();
  }

  @Test
  void reopensAStuckKeyTogetherWithANoteOfIt() throws Exception {
    JdbcSchema.apply(database);
    execute("CREATE TABLE note (what text)");
    JdbcRecordStore store = JdbcRecordStore.over(database);
    try (Once once = Once.over(store)) {
      assertThatThrownBy(() -> once.run(order, execution -> reopen(store)))
          .isInstanceOf(LeaseLostException.class);
    }

    assertThat(store.find(order.key()).orElseThrow().state()).isEqualTo(State.OPEN);
    assertThat(query("SELECT what FROM note")).startsWith("ann reopened acme/orders/#");
    assertThat(store.expire(order.key())).isTrue();
    assertThat(store.find(order.key())).isEmpty();
  }

  private String reopen(JdbcRecordStore store) throws SQLException {
    DataSource pool = database;
    Key key = order.key();
    // snippet: reopen
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      if (store.adminWithin(connection).reopen(key)) {
        writeDown(connection, "ann reopened " + key);
      }
      connection.commit();
    }
    // end
    return "too late";
  }

  private static void writeDown(Connection connection, String what) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("INSERT INTO note VALUES (?)")) {
      statement.setString(1, what);
      statement.executeUpdate();
    }
  }

  /** Each block of the page is run by the owner of a database that has the schema. */
  @Test
  void runsAllSqlOfThePage() throws Exception {
    JdbcSchema.apply(database);
    JobsSchema.apply(database);
    InboxSchema.apply(database);
    WebhooksSchema.apply(database);
    WorkflowsSchema.apply(database);
    EventsSchema.named(EventsSchema.DEFAULT_NAME).apply(database);
    List<String> blocks = PAGE.blocksIn("sql");
    execute("CREATE ROLE shop");

    try {
      for (String block : blocks) {
        execute(block);
      }
      worksWithThePrivilegesOfThePage();
    } finally {
      execute("DROP OWNED BY shop; DROP ROLE shop");
    }
  }

  private void worksWithThePrivilegesOfThePage() {
    database.setOptions("-c role=shop");
    JdbcRecordStore store = JdbcRecordStore.over(database);
    try (Once once = Once.over(store)) {
      assertThat(once.run(order, execution -> "done")).isInstanceOf(Result.Executed.class);
      assertThat(once.run(order, execution -> "done")).isInstanceOf(Result.Replayed.class);
      assertThat(store.purge(Purge.of("acme", 10))).isZero();
    } finally {
      database.setOptions("");
    }
  }

  @Test
  void showsTheUncertainOnes() throws Exception {
    JdbcSchema.apply(database);
    Request<@Nullable String> payment = order.withTerms(Terms.DEFAULT.withRecovery(Recovery.ASK));
    try (Once once = Once.over(JdbcRecordStore.over(database))) {
      once.run(
          payment.withFailurePolicy(failure -> dev.once.EffectState.unknown()),
          execution -> {
            throw new IllegalStateException("line cut");
          });
    } catch (IllegalStateException e) {
      assertThat(e).hasMessage("line cut");
    }

    String uncertain =
        PAGE.blocksIn("sql").stream()
            .filter(it -> it.contains("recovery = 'ask'"))
            .findFirst()
            .orElseThrow();
    assertThat(query(uncertain)).isEqualTo("acme");
  }

  @Test
  void takesASchemaThatAnotherToolApplied() throws Exception {
    try (InputStream in = JdbcSchema.class.getResourceAsStream("postgresql/V1__records.sql")) {
      execute(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
    }
    JdbcSchema.check(database);
    JdbcSchema.apply(database);
  }

  @Test
  void needsAsMuchRoomAsThePageSays() throws Exception {
    JdbcSchema.apply(database);
    execute(
        """
        DO $$ DECLARE id text; BEGIN
          FOR i IN 1..5000 LOOP
            id := gen_random_uuid();
            PERFORM once_claim('acme', 'api:POST:/v1/orders', id,
              'json1-sha256:' || repeat('x', 43), interval '30 s', interval '24 h', 'rerun', 20,
              '', i, false, 65536);
            UPDATE once_record SET state = 'completed', body_form = 'raw', body_bytes = 100,
              body = convert_to(repeat('x', 100), 'UTF8')
            WHERE tenant = 'acme' AND scope = 'api:POST:/v1/orders' AND key = id;
            COMMIT;
          END LOOP;
        END $$
        """);

    int bytes = Integer.parseInt(query("SELECT pg_total_relation_size('once_record') / 5000"));
    assertThat(bytes).isBetween(1100, 1400);
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private String query(String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? String.valueOf(row.getString(1)) : "nothing";
    }
  }
}
