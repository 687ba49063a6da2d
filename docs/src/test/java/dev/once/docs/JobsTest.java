package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.Once;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import dev.once.jobs.BatchProgress;
import dev.once.jobs.BatchResult;
import dev.once.jobs.DeadLetter;
import dev.once.jobs.DeadLetters;
import dev.once.jobs.Handler;
import dev.once.jobs.Job;
import dev.once.jobs.JobBatch;
import dev.once.jobs.JobEvent;
import dev.once.jobs.JobException;
import dev.once.jobs.JobKey;
import dev.once.jobs.JobMismatchException;
import dev.once.jobs.JobRun;
import dev.once.jobs.Jobs;
import dev.once.jobs.JobsSchema;
import dev.once.jobs.LetterQuery;
import dev.once.jobs.Queue;
import dev.once.jobs.RetryPolicy;
import dev.once.jobs.Schedule;
import dev.once.jobs.Workers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The examples of docs/guides/jobs.md. */
@SuppressWarnings("try") // Workers work until they are closed.
class JobsTest {
  private final HikariDataSource dataSource = newPool();
  private final BlockingQueue<JobEvent> ended = new LinkedBlockingQueue<>();
  private final Jobs jobs = Jobs.builder(dataSource).listener(this::hear).build();
  private final Once once = Once.over(JdbcRecordStore.over(dataSource));
  private final BlockingQueue<String> sent = new LinkedBlockingQueue<>();

  @BeforeEach
  void createBusinessTables() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE orders (id text)");
      statement.execute("CREATE TABLE invoice (order_id text)");
    }
  }

  @AfterEach
  void close() {
    once.close();
    jobs.close();
    dataSource.close();
  }

  @Test
  void enqueuesWithTheOrderAndWritesTheInvoice() throws Exception {
    String order = "order-42";
    // snippet: enqueue
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      insertOrder(connection, order);
      jobs.enqueue(
          connection, Job.of(new JobKey("acme", "billing", "invoice", order)).withText("EUR 40"));
      connection.commit(); // Order and job are there, or neither.
    }
    jobs.wake("billing"); // Optional: without it, workers find the job within a second.
    // end

    // snippet: workers
    Workers workers =
        Workers.over(jobs)
            .handle("billing", "invoice", Handler.transactional(JobsTest::insertInvoice))
            .handle("mail", "receipt", Handler.leased(once, this::sendReceipt))
            .queue(Queue.named("mail").withSlots(4).withTenantConcurrency(2))
            .start();
    // end
    try (workers) {
      assertThat(ended.poll(30, TimeUnit.SECONDS)).isInstanceOf(JobEvent.Completed.class);
      jobs.enqueue(Job.of(new JobKey("acme", "mail", "receipt", order)).withText("a@example.org"));
      assertThat(sent.poll(30, TimeUnit.SECONDS)).contains("#", "fence ");
    }
  }

  @Test
  void refusesAnotherPayloadUnderTheSameKey() {
    // snippet: same
    JobKey key = new JobKey("acme", "billing", "invoice", "order-42");
    jobs.enqueue(Job.of(key).withText("EUR 40"));
    jobs.enqueue(Job.of(key).withText("EUR 40")); // Joins the first: created() is false.
    // end

    assertThatThrownBy(() -> jobs.enqueue(Job.of(key).withText("EUR 50")))
        .isInstanceOf(JobMismatchException.class);
  }

  @Test
  void decidesWhatBecomesOfAFailure() throws Exception {
    AtomicBoolean isBreakerOpen = new AtomicBoolean();
    // snippet: failures
    Handler.LeasedWork callsProvider =
        run -> {
          switch (statusOf(run)) {
            case 404 -> throw new JobException.GiveUp("no such customer");
            case 425 -> throw new JobException.Snooze("not ready", Duration.ofMinutes(5));
            case 429 -> throw new JobException.Retry("too many", Duration.ofSeconds(30));
            case 503 -> throw new IllegalStateException("down"); // Tried again by its policy.
            default -> {}
          }
        };
    Handler handler =
        Handler.leased(once, callsProvider)
            .withRetries(
                RetryPolicy.DEFAULT
                    .withAttempts(8)
                    .withDelays(Duration.ofSeconds(2), Duration.ofMinutes(10)));
    // end
    // snippet: breaker
    Queue mail = Queue.named("mail").pausedWhile(isBreakerOpen::get);
    // end
    try (Workers workers = Workers.over(jobs).handle("mail", "call", handler).queue(mail).start()) {
      jobs.enqueue(Job.of(new JobKey("acme", "mail", "call", "404")));

      assertThat(ended.poll(30, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              JobEvent.Died.class, it -> assertThat(it.reason()).contains("no such customer"));
    }
  }

  @Test
  void keepsTheOrderOfAnAggregate() {
    // snippet: order
    jobs.enqueue(Job.of(new JobKey("acme", "search", "index", "m-1@v7")).withAggregate("m-1"));
    jobs.enqueue(Job.of(new JobKey("acme", "search", "index", "m-1@v8")).withAggregate("m-1"));
    // end
    // snippet: later
    jobs.enqueue(
        Job.of(new JobKey("acme", "mail", "reminder", "order-42"))
            .withDelay(Duration.ofDays(1))
            .withPriority(-10));
    // end
  }

  @Test
  void letsAnOperatorDecideAboutDeadLetters() throws Exception {
    Handler.LeasedWork fails =
        run -> {
          throw new JobException.GiveUp("no such customer");
        };
    try (Workers workers =
        Workers.over(jobs).handle("mail", "call", Handler.leased(once, fails)).start()) {
      jobs.enqueue(Job.of(new JobKey("acme", "mail", "call", "1")));
      jobs.enqueue(Job.of(new JobKey("acme", "mail", "call", "2")));
      ended.poll(30, TimeUnit.SECONDS);
      ended.poll(30, TimeUnit.SECONDS);
    }

    // snippet: dead
    DeadLetters letters = jobs.deadLetters();
    for (DeadLetter letter : letters.list(LetterQuery.of("acme").inQueue("mail"))) {
      System.out.println(letter.key() + " after " + letter.attempt() + ": " + letter.reason());
    }
    long first = letters.list(LetterQuery.of("acme")).get(0).id();
    letters.discard("acme", List.of(first), "alice"); // It will not run.
    letters.retryAll(LetterQuery.of("acme").inQueue("mail"), "alice"); // The others run again.
    // end

    assertThat(letters.list(LetterQuery.of("acme"))).isEmpty();
    assertThat(letters.audit("acme", 0, 10))
        .extracting(it -> it.actor() + " " + it.action())
        .containsExactly("alice DISCARD", "alice RETRY");
  }

  @Test
  void comesAgainAndAgain() {
    // snippet: schedule
    jobs.schedule(
        Schedule.of(
            "acme", "nightly", "30 2 * * *", ZoneId.of("Europe/Berlin"), "billing", "close-day"));
    // end

    assertThat(jobs.schedules("acme")).hasSize(1);
  }

  @Test
  void runsTheJoinAfterAllJobsOfABatch() throws Exception {
    List<Job> pages =
        List.of(
            Job.of(new JobKey("acme", "billing", "page", "march-1")),
            Job.of(new JobKey("acme", "billing", "page", "march-2")));
    // snippet: batch
    Job report = Job.of(new JobKey("acme", "billing", "report", "march"));
    BatchResult march = jobs.batches().enqueue(JobBatch.of(report).withJobs(pages));

    BatchProgress progress = jobs.batches().progress("acme", march.batch()).orElseThrow();
    System.out.println(progress.finished() + " of " + progress.members());
    // end

    assertThat(progress).isEqualTo(new BatchProgress(march.batch(), 2, 0, 0, false));
    Handler.TransactionalWork page = (run, connection) -> sent.add(run.key().resource());
    try (Workers workers =
        Workers.over(jobs)
            .handle("billing", "page", Handler.transactional(page))
            .handle("billing", "report", Handler.transactional(page))
            .start()) {
      for (int i = 0; i < 3; i++) {
        assertThat(ended.poll(30, TimeUnit.SECONDS)).isInstanceOf(JobEvent.Completed.class);
      }
    }
    assertThat(sent).hasSize(3).endsWith("march");
  }

  private void hear(JobEvent event) {
    if (event instanceof JobEvent.Completed || event instanceof JobEvent.Died) {
      ended.add(event);
    }
  }

  private static int statusOf(JobRun run) {
    return Integer.parseInt(run.key().resource());
  }

  // snippet: transactional
  /** The row and the end of the job are one commit: there is one invoice, even after a crash. */
  static void insertInvoice(JobRun run, Connection connection) throws SQLException {
    String sql = "INSERT INTO invoice (order_id) VALUES (?)";
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      insert.setString(1, run.key().resource());
      insert.executeUpdate();
    }
  }

  // end

  // snippet: leased
  /** The provider gets the same key in every attempt, and a fence that only rises. */
  void sendReceipt(JobRun run) {
    mail(run.text(), run.key().text(), run.fence());
  }

  // end

  private void mail(String address, String idempotencyKey, long fence) {
    sent.add("#" + address.length() + idempotencyKey.length() + " fence " + fence);
  }

  private static void insertOrder(Connection connection, String order) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO orders VALUES (?)")) {
      insert.setString(1, order);
      insert.executeUpdate();
    }
  }

  private static HikariDataSource newPool() {
    HikariDataSource pool = new HikariDataSource();
    pool.setDataSource(EmbeddedPostgres.shared().newDatabase("docs"));
    JdbcSchema.apply(pool);
    JobsSchema.apply(pool);
    return pool;
  }
}
