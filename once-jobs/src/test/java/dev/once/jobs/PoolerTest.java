package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.Once;
import dev.once.Terms;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.internal.TransactionRunner;
import dev.once.testkit.Sql;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Everything works behind a pooler that reassigns connections between transactions. */
@SuppressWarnings("try") // Workers work until they are closed.
class PoolerTest {
  private static final Duration LEASE = Duration.ofSeconds(1);

  private final JobDatabase database = new JobDatabase("pooler");
  private final TransactionPooler pooler = new TransactionPooler(EmbeddedPostgres.shared().port());
  private final HikariDataSource pooled = JobDatabase.poolOf(behindPooler(), 12);
  private final Jobs jobs = Jobs.over(pooled);
  private final Jobs elsewhere = database.jobs();
  private final JobStatements statements = new JobStatements(database);
  private final List<String> calls = new CopyOnWriteArrayList<>();

  PoolerTest() throws IOException {}

  @AfterEach
  void close() throws IOException {
    jobs.close();
    pooled.close();
    pooler.close();
    database.close();
  }

  @Test
  void nothingIsLeftOfASessionAfterItsTransaction() throws SQLException {
    try (Connection one = pooled.getConnection();
        Connection other = pooled.getConnection()) {
      String first = read(one, "SELECT pg_backend_pid()");
      assertThat(read(other, "SELECT 1")).isEqualTo("1");
      Sql.execute(one, "SET application_name = 'mine'");

      assertThat(read(one, "SHOW application_name")).isNotEqualTo("mine");
      assertThat(
              List.of(read(one, "SELECT pg_backend_pid()"), read(one, "SELECT pg_backend_pid()")))
          .isNotEqualTo(List.of(first, first));
    }
  }

  @Test
  void jobsAreFoundRunAndTriedAgain() {
    Handler flaky = Handler.transactional(PoolerTest::failAtFirst).withRetries(TestJobs.SOON);

    try (Workers workers = workers().handle("mail", "welcome", flaky).start()) {
      elsewhere.enqueueAll(TestJobs.jobs(20));
      statements.awaitAllDone();
    }

    assertThat(database.handled()).hasSize(20).doesNotHaveDuplicates();
    assertThat(database.query("SELECT DISTINCT attempt FROM once_job_done")).containsExactly("2");
  }

  @Test
  void leasesAreRenewed() {
    Handler slow = Handler.transactional((run, connection) -> outlive(run));

    try (Workers here = workers().handle("mail", "welcome", slow).start();
        Workers there = workers().handle("mail", "welcome", slow).start()) {
      jobs.enqueueAll(TestJobs.jobs(4));
      statements.awaitAllDone();
    }

    assertThat(calls).hasSize(4).doesNotHaveDuplicates();
  }

  @Test
  void effectsBeyondTheDatabaseAreRemembered() {
    try (Once once = Once.over(JdbcRecordStore.over(pooled))) {
      Handler calling =
          Handler.leased(once, this::outlive).withTerms(Terms.DEFAULT.withLease(LEASE));
      try (Workers workers = workers().handle("mail", "welcome", calling).start()) {
        jobs.enqueueAll(TestJobs.jobs(4));
        statements.awaitAllDone();
      }
    }

    assertThat(calls).hasSize(4).doesNotHaveDuplicates();
    assertThat(database.query("SELECT DISTINCT state FROM once_record"))
        .containsExactly("completed");
  }

  @Test
  void jobsOfAnAggregateRunInTheirOrder() {
    Handler shared = Handler.transactional(JobDatabase::handle).withBatchSize(10);

    try (Workers workers = workers().handle("mail", "welcome", shared).start()) {
      TestJobs.jobs(20).forEach(job -> jobs.enqueue(job.withAggregate("book")));
      statements.awaitAllDone();
    }

    assertThat(database.handled())
        .isEqualTo(IntStream.range(0, 20).mapToObj(Integer::toString).toList());
  }

  @Test
  void oldKeysAreForgotten() {
    database.execute(
        """
        INSERT INTO once_job_done
        SELECT (once_job_part('24 hours') + 1) % 4, 'acme', 'mail', 'welcome:1', 'none:', 1, 1, false, '',
          clock_timestamp() - interval '36 hours', clock_timestamp() - interval '12 hours'
        """);

    long purged =
        new TransactionRunner(pooled)
            .run("purge", it -> PurgeStatement.execute(it, JobStatements.RETENTION));

    assertThat(purged).isEqualTo(1);
  }

  private Workers.Builder workers() {
    return Workers.over(jobs)
        .pollInterval(Duration.ofMillis(50))
        .queue(Queue.named("mail").withSlots(4).withLease(LEASE));
  }

  private static void failAtFirst(JobRun run, Connection connection) throws SQLException {
    JobDatabase.handle(run, connection);
    if (run.attempt() == 1) {
      throw new IllegalStateException("once more");
    }
  }

  private void outlive(JobRun run) throws InterruptedException {
    calls.add(run.key().resource());
    statements.awaitRenewedBy(LEASE.multipliedBy(2), run);
  }

  private static String read(Connection connection, String sql) throws SQLException {
    return Sql.query(connection, sql).get(0);
  }

  private PGSimpleDataSource behindPooler() {
    PGSimpleDataSource direct = (PGSimpleDataSource) database.direct();
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(
        "jdbc:postgresql://127.0.0.1:%d/%s?sslmode=disable&gssEncMode=disable&prepareThreshold=0"
            .formatted(pooler.port(), direct.getDatabaseName()));
    source.setUser(direct.getUser());
    source.setPassword(direct.getPassword());
    return source;
  }
}
