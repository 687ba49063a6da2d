package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // Workers work until they are closed.
class WorkerTest {
  private static final JobDatabase DATABASE = new JobDatabase("worker");

  /** So long that no worker polls without a notification. */
  private static final Duration NEVER = Duration.ofMinutes(30);

  private final RecordedJobEvents events = new RecordedJobEvents();
  private final Jobs jobs = Jobs.builder(DATABASE.dataSource()).listener(events).build();
  private final JobStatements desk = new JobStatements(DATABASE);

  @BeforeAll
  static void table() {
    DATABASE.execute("CREATE TABLE effect (job bigint, resource text)");
  }

  @AfterAll
  static void closeDatabase() {
    DATABASE.close();
  }

  @BeforeEach
  void empty() {
    desk.empty();
    DATABASE.execute("TRUNCATE effect");
  }

  @AfterEach
  void close() {
    jobs.close();
  }

  @Test
  void anEffectAndTheEndOfItsJobAreOneTransaction() throws Exception {
    try (Workers workers = workersOf(Handler.transactional(WorkerTest::insert))) {
      jobs.enqueueAll(jobsOf(100));
      events.await(JobEvent.Completed.class, 100);
    }

    assertThat(effects()).hasSize(100).doesNotHaveDuplicates();
    assertThat(desk.states()).isEmpty();
  }

  @Test
  void aFailedTryLeavesNothingBehindAndComesAgain() throws Exception {
    AtomicBoolean isFirst = new AtomicBoolean(true);
    Handler.TransactionalWork failsOnce =
        (run, connection) -> {
          insert(run, connection);
          if (isFirst.getAndSet(false)) {
            throw new IllegalStateException("no luck");
          }
        };
    try (Workers workers = workersOf(quick(Handler.transactional(failsOnce)))) {
      jobs.enqueueAll(jobsOf(1));
      events.await(JobEvent.Completed.class, 1);
    }

    assertThat(effects()).containsExactly("0");
    assertThat(events.all(JobEvent.Failed.class))
        .extracting(JobEvent.Failed::reason)
        .containsExactly("java.lang.IllegalStateException: no luck");
    assertThat(events.all(JobEvent.Completed.class))
        .extracting(JobEvent.Completed::attempt)
        .containsExactly(2);
  }

  @Test
  void afterTheLastTryAJobIsDeadWithReasonAndStack() throws Exception {
    Handler.TransactionalWork fails =
        (run, connection) -> {
          throw new IllegalStateException("no luck");
        };
    try (Workers workers = workersOf(quick(Handler.transactional(fails)))) {
      jobs.enqueueAll(jobsOf(1));
      events.await(JobEvent.Died.class, 1);
    }

    assertThat(events.all(JobEvent.Started.class))
        .extracting(JobEvent.Started::attempt)
        .containsExactly(1, 2, 3, 4, 5);
    assertThat(DATABASE.query("SELECT reason FROM once_job WHERE state = 'dead'"))
        .containsExactly("java.lang.IllegalStateException: no luck");
    assertThat(DATABASE.query("SELECT stack FROM once_job").get(0)).contains("WorkerTest");
  }

  @Test
  void aJobThatIsGivenUpIsDeadAtOnce() throws Exception {
    Handler.TransactionalWork givesUp =
        (run, connection) -> {
          throw new JobException.GiveUp("no such user");
        };
    try (Workers workers = workersOf(Handler.transactional(givesUp))) {
      jobs.enqueueAll(jobsOf(1));

      assertThat(events.await(JobEvent.Died.class, 1))
          .extracting(JobEvent.Died::attempt)
          .containsExactly(1);
    }
  }

  @Test
  void aSnoozedJobIsNotChargedWithATry() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    Handler.TransactionalWork snoozes =
        (run, connection) -> {
          if (runs.incrementAndGet() < 10) {
            throw new JobException.Snooze("too early", Duration.ofMillis(1));
          }
        };
    try (Workers workers = workersOf(Handler.transactional(snoozes))) {
      jobs.enqueueAll(jobsOf(1));

      JobEvent.Completed end = events.await(JobEvent.Completed.class, 1).get(0);
      assertThat(end.attempt()).isEqualTo(1);
      assertThat(end.fence()).isEqualTo(events.all(JobEvent.Started.class).get(0).fence() + 9);
    }
  }

  @Test
  void aHandlerMaySayWhenItsNextTryComes() throws Exception {
    Handler.TransactionalWork retries =
        (run, connection) -> {
          throw new JobException.Retry("come back tomorrow", Duration.ofDays(1));
        };
    try (Workers workers = workersOf(Handler.transactional(retries))) {
      jobs.enqueueAll(jobsOf(1));

      assertThat(events.await(JobEvent.Failed.class, 1))
          .extracting(JobEvent.Failed::delay)
          .containsExactly(Duration.ofDays(1));
    }
    assertThat(desk.states()).containsExactly("work:0 waiting");
  }

  @Test
  void oneFailureAmongJobsOfOneTransactionFailsItAlone() throws Exception {
    Handler.TransactionalWork failsForSeven =
        (run, connection) -> {
          insert(run, connection);
          if (run.key().resource().equals("7")) {
            throw new JobException.GiveUp("unlucky");
          }
        };
    jobs.enqueueAll(jobsOf(20));
    try (Workers workers = workersOf(Handler.transactional(failsForSeven).withBatchSize(20))) {
      events.await(JobEvent.Completed.class, 19);
      events.await(JobEvent.Died.class, 1);
    }

    assertThat(effects()).hasSize(19).doesNotHaveDuplicates().doesNotContain("7");
    assertThat(desk.states()).containsExactly("work:7 dead");
  }

  @Test
  void aStatementThatBreaksTheTransactionFailsItsOwnJobAlone() throws Exception {
    Handler.TransactionalWork breaksForSeven =
        (run, connection) -> {
          insert(run, connection);
          if (run.key().resource().equals("7")) {
            Sql.execute(connection, "SELECT 1 / 0");
          }
        };
    jobs.enqueueAll(jobsOf(20));
    Handler handler =
        Handler.transactional(breaksForSeven)
            .withBatchSize(20)
            .withRetries(RetryPolicy.DEFAULT.withTries(1));
    try (Workers workers = workersOf(handler)) {
      events.await(JobEvent.Completed.class, 19);
      events.await(JobEvent.Died.class, 1);
    }

    assertThat(effects()).hasSize(19).doesNotHaveDuplicates().doesNotContain("7");
  }

  @Test
  void jobsOfAnAggregateRunInTheirOrderWithoutWaitingInBetween() throws Exception {
    ConcurrentLinkedQueue<String> order = new ConcurrentLinkedQueue<>();
    Handler handler = Handler.transactional((run, connection) -> order.add(run.key().resource()));
    jobs.enqueueAll(jobsOf(50).stream().map(job -> job.withAggregate("a")).toList());
    try (Workers workers = workers(handler).pollInterval(NEVER).start()) {
      events.await(JobEvent.Completed.class, 50);
    }

    List<String> expected = IntStream.range(0, 50).mapToObj(Integer::toString).toList();
    assertThat(order).containsExactlyElementsOf(expected);
  }

  @Test
  void aLimitOnConcurrencyDoesNotMakeJobsWaitForTheNextLook() throws Exception {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Handler.TransactionalWork counts =
        (run, connection) -> {
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          running.decrementAndGet();
        };
    jobs.enqueueAll(jobsOf(50));
    try (Workers workers =
        workers(Handler.transactional(counts))
            .queue(Queue.named("main").withConcurrency(2))
            .pollInterval(NEVER)
            .start()) {
      events.await(JobEvent.Completed.class, 50);
    }

    assertThat(most.get()).isLessThanOrEqualTo(2);
  }

  @Test
  void aJobIsPickedUpWithoutALookBecauseItsWorkersAreWoken() throws Exception {
    try (Workers workers =
        workers(Handler.transactional(WorkerTest::insert)).pollInterval(NEVER).start()) {
      for (int i = 1; i <= 20; i++) {
        jobs.enqueue(jobOf("next-" + i));
        events.await(JobEvent.Completed.class, i);
      }
    }
  }

  @Test
  void workersOfAnotherProcessAreWokenByNotify() throws Exception {
    try (Workers workers =
            workers(Handler.transactional(WorkerTest::insert)).pollInterval(NEVER).start();
        Jobs elsewhere = Jobs.over(DATABASE.dataSource())) {
      for (int i = 1; i <= 20; i++) {
        elsewhere.enqueue(jobOf("next-" + i));
        events.await(JobEvent.Completed.class, i);
      }
    }
  }

  @Test
  void aJobOfACallersTransactionIsPickedUpWhenItWakesWorkersAfterItsCommit() throws Exception {
    try (Workers workers =
            workers(Handler.transactional(WorkerTest::insert)).pollInterval(NEVER).start();
        Connection connection = DATABASE.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      jobs.enqueue(connection, jobOf("mine"));
      connection.commit();
      jobs.wake("main");

      events.await(JobEvent.Completed.class, 1);
    }
  }

  @Test
  void nothingIsTakenWhileTheQueueIsPaused() throws Exception {
    AtomicBoolean isPaused = new AtomicBoolean(true);
    CountDownLatch polled = new CountDownLatch(3);
    jobs.enqueueAll(jobsOf(5));
    try (Workers workers =
        workers(Handler.transactional(WorkerTest::insert))
            .queue(
                Queue.named("main")
                    .pausedWhile(
                        () -> {
                          polled.countDown();
                          return isPaused.get();
                        }))
            .pollInterval(Duration.ofMillis(10))
            .start()) {
      polled.await();
      assertThat(desk.states()).allMatch(state -> state.endsWith("ready"));

      isPaused.set(false);
      events.await(JobEvent.Completed.class, 5);
    }
  }

  @Test
  void aJobThatFailsWhileItsQueueIsPausedIsNotChargedWithATry() throws Exception {
    AtomicBoolean isPaused = new AtomicBoolean();
    Handler.TransactionalWork opensTheBreaker =
        (run, connection) -> {
          isPaused.set(true);
          throw new IllegalStateException("the provider is down");
        };
    try (Workers workers =
        workers(Handler.transactional(opensTheBreaker))
            .queue(Queue.named("main").pausedWhile(isPaused::get))
            .start()) {
      jobs.enqueueAll(jobsOf(1));
      events.await(JobEvent.Returned.class, 1);
    }
    assertThat(DATABASE.query("SELECT attempt FROM once_job")).containsExactly("0");
  }

  @Test
  void aJobWhoseWorkersVanishedInEveryTryIsDeadWithoutAnotherRun() throws Exception {
    jobs.enqueueAll(jobsOf(1));
    DATABASE.execute("UPDATE once_job SET attempt = 5, fence = 5");
    try (Workers workers = workersOf(Handler.transactional(WorkerTest::insert))) {
      events.await(JobEvent.Died.class, 1);
    }
    assertThat(effects()).isEmpty();
  }

  @Test
  void refusesTwoHandlersForOneType() {
    Handler handler = Handler.transactional(WorkerTest::insert);

    assertThatThrownBy(() -> workers(handler).handle("main", "work", handler))
        .hasMessage("two handlers for type work in queue main: only one can run a job");
  }

  private Workers workersOf(Handler handler) {
    return workers(handler).pollInterval(Duration.ofMillis(20)).start();
  }

  private Workers.Builder workers(Handler handler) {
    return Workers.over(jobs).handle("main", "work", handler);
  }

  /** The same with almost no delay between attempts. */
  private static Handler quick(Handler handler) {
    return handler.withRetries(
        RetryPolicy.DEFAULT.withDelays(Duration.ofMillis(1), Duration.ofMillis(5)));
  }

  private static List<Job> jobsOf(int count) {
    return IntStream.range(0, count).mapToObj(i -> jobOf(Integer.toString(i))).toList();
  }

  private static Job jobOf(String resource) {
    return Job.of(new JobKey("acme", "main", "work", resource));
  }

  private static void insert(JobRun run, Connection connection) throws SQLException {
    String sql = "INSERT INTO effect (job, resource) VALUES (?, ?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, run.id());
      statement.setString(2, run.key().resource());
      statement.executeUpdate();
    }
  }

  private static List<String> effects() {
    return DATABASE.query("SELECT resource FROM effect");
  }
}
