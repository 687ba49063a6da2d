package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.testkit.Sql;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@SuppressWarnings("try") // Workers work until they are closed.
class WorkerTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("worker");

  /** So long that no worker polls without a notification. */
  private static final Duration NEVER = Duration.ofMinutes(30);

  private final RecordedJobEvents events = new RecordedJobEvents();
  private final Jobs jobs = Jobs.builder(DATABASE.dataSource()).listener(events).build();
  private final JobStatements statements = new JobStatements(DATABASE);

  @AfterEach
  void close() {
    jobs.close();
  }

  @Test
  void anEffectAndTheEndOfItsJobAreOneTransaction() throws Exception {
    try (Workers workers = workersOf(Handler.transactional(JobDatabase::handle))) {
      jobs.enqueueAll(TestJobs.jobs(100));
      events.await(JobEvent.Completed.class, 100);
    }

    assertThat(DATABASE.handled()).hasSize(100).doesNotHaveDuplicates();
    assertThat(statements.states()).isEmpty();
  }

  @Test
  void aFailedTryLeavesNothingBehindAndComesAgain() throws Exception {
    AtomicBoolean isFirst = new AtomicBoolean(true);
    Handler.TransactionalWork failsOnce =
        (run, connection) -> {
          JobDatabase.handle(run, connection);
          if (isFirst.getAndSet(false)) {
            throw new IllegalStateException("no luck");
          }
        };
    try (Workers workers = workersOf(Handler.transactional(failsOnce).withRetries(TestJobs.SOON))) {
      jobs.enqueueAll(TestJobs.jobs(1));
      events.await(JobEvent.Completed.class, 1);
    }

    assertThat(DATABASE.handled()).containsExactly("0");
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
    try (Workers workers = workersOf(Handler.transactional(fails).withRetries(TestJobs.SOON))) {
      jobs.enqueueAll(TestJobs.jobs(1));
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
      jobs.enqueueAll(TestJobs.jobs(1));

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
      jobs.enqueueAll(TestJobs.jobs(1));

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
      jobs.enqueueAll(TestJobs.jobs(1));

      assertThat(events.await(JobEvent.Failed.class, 1))
          .extracting(JobEvent.Failed::delay)
          .containsExactly(Duration.ofDays(1));
    }
    assertThat(statements.states()).containsExactly("welcome:0 waiting");
  }

  @Test
  void oneFailureAmongJobsOfOneTransactionFailsItAlone() throws Exception {
    Handler.TransactionalWork failsForSeven =
        (run, connection) -> {
          JobDatabase.handle(run, connection);
          if (run.key().resource().equals("7")) {
            throw new JobException.GiveUp("unlucky");
          }
        };
    jobs.enqueueAll(TestJobs.jobs(20));
    try (Workers workers = workersOf(Handler.transactional(failsForSeven).withBatchSize(20))) {
      events.await(JobEvent.Completed.class, 19);
      events.await(JobEvent.Died.class, 1);
    }

    assertThat(DATABASE.handled()).hasSize(19).doesNotHaveDuplicates().doesNotContain("7");
    assertThat(statements.states()).containsExactly("welcome:7 dead");
  }

  @Test
  void aStatementThatBreaksTheTransactionFailsItsOwnJobAlone() throws Exception {
    Handler.TransactionalWork breaksForSeven =
        (run, connection) -> {
          JobDatabase.handle(run, connection);
          if (run.key().resource().equals("7")) {
            Sql.execute(connection, "SELECT 1 / 0");
          }
        };
    jobs.enqueueAll(TestJobs.jobs(20));
    Handler handler =
        Handler.transactional(breaksForSeven)
            .withBatchSize(20)
            .withRetries(RetryPolicy.DEFAULT.withAttempts(1));
    try (Workers workers = workersOf(handler)) {
      events.await(JobEvent.Completed.class, 19);
      events.await(JobEvent.Died.class, 1);
    }

    assertThat(DATABASE.handled()).hasSize(19).doesNotHaveDuplicates().doesNotContain("7");
  }

  @Test
  void jobsOfAnAggregateRunInTheirOrderWithoutWaitingInBetween() throws Exception {
    ConcurrentLinkedQueue<String> order = new ConcurrentLinkedQueue<>();
    Handler handler = Handler.transactional((run, connection) -> order.add(run.key().resource()));
    jobs.enqueueAll(TestJobs.jobs(50).stream().map(job -> job.withAggregate("a")).toList());
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
    jobs.enqueueAll(TestJobs.jobs(50));
    try (Workers workers =
        workers(Handler.transactional(counts))
            .queue(Queue.named("mail").withConcurrency(2))
            .pollInterval(NEVER)
            .start()) {
      events.await(JobEvent.Completed.class, 50);
    }

    assertThat(most.get()).isLessThanOrEqualTo(2);
  }

  @Test
  void aJobIsPickedUpWithoutALookBecauseItsWorkersAreWoken() throws Exception {
    try (Workers workers =
        workers(Handler.transactional(JobDatabase::handle)).pollInterval(NEVER).start()) {
      for (int i = 1; i <= 20; i++) {
        jobs.enqueue(TestJobs.job("next-" + i));
        events.await(JobEvent.Completed.class, i);
      }
    }
  }

  @Test
  void workersOfAnotherProcessAreWokenByNotify() throws Exception {
    try (Workers workers =
            workers(Handler.transactional(JobDatabase::handle)).pollInterval(NEVER).start();
        Jobs elsewhere = Jobs.over(DATABASE.dataSource())) {
      for (int i = 1; i <= 20; i++) {
        elsewhere.enqueue(TestJobs.job("next-" + i));
        events.await(JobEvent.Completed.class, i);
      }
    }
  }

  @Test
  void aJobOfACallersTransactionIsPickedUpWhenItWakesWorkersAfterItsCommit() throws Exception {
    try (Workers workers =
            workers(Handler.transactional(JobDatabase::handle)).pollInterval(NEVER).start();
        Connection connection = DATABASE.begin(Connection.TRANSACTION_READ_COMMITTED)) {
      jobs.enqueue(connection, TestJobs.job("mine"));
      connection.commit();
      jobs.wake("mail");

      events.await(JobEvent.Completed.class, 1);
    }
  }

  @Test
  void nothingIsTakenWhileTheQueueIsPaused() throws Exception {
    AtomicBoolean isPaused = new AtomicBoolean(true);
    CountDownLatch polled = new CountDownLatch(3);
    jobs.enqueueAll(TestJobs.jobs(5));
    try (Workers workers =
        workers(Handler.transactional(JobDatabase::handle))
            .queue(
                Queue.named("mail")
                    .pausedWhile(
                        () -> {
                          polled.countDown();
                          return isPaused.get();
                        }))
            .pollInterval(Duration.ofMillis(10))
            .start()) {
      polled.await();
      assertThat(statements.states()).allMatch(state -> state.endsWith("ready"));

      isPaused.set(false);
      events.await(JobEvent.Completed.class, 5);
    }
  }

  @Test
  void aClaimedJobIsPutBackIfItsQueueWasPausedMeanwhile() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    jobs.enqueueAll(TestJobs.jobs(1));
    try (Workers workers =
        workers(Handler.transactional(JobDatabase::handle))
            .queue(Queue.named("mail").pausedWhile(() -> asked.incrementAndGet() > 1))
            .start()) {
      events.await(JobEvent.Returned.class, 1);
    }

    assertThat(DATABASE.handled()).isEmpty();
    assertThat(statements.states()).containsExactly("welcome:0 ready");
    assertThat(DATABASE.query("SELECT attempt FROM once_job")).containsExactly("0");
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
            .queue(Queue.named("mail").pausedWhile(isPaused::get))
            .start()) {
      jobs.enqueueAll(TestJobs.jobs(1));
      events.await(JobEvent.Returned.class, 1);
    }
    assertThat(DATABASE.query("SELECT attempt FROM once_job")).containsExactly("0");
  }

  @Test
  void aJobWhoseWorkersVanishedInEveryTryIsDeadWithoutAnotherRun() throws Exception {
    jobs.enqueueAll(TestJobs.jobs(1));
    DATABASE.execute("UPDATE once_job SET attempt = 5, fence = 5");
    Handler handler = Handler.transactional(JobDatabase::handle).withRetries(RetryPolicy.SHORT);
    try (Workers workers = workersOf(handler)) {
      events.await(JobEvent.Died.class, 1);
    }
    assertThat(DATABASE.handled()).isEmpty();
  }

  @Test
  void refusesTwoHandlersForOneType() {
    Handler handler = Handler.transactional(JobDatabase::handle);

    assertThatThrownBy(() -> workers(handler).handle("mail", "welcome", handler))
        .hasMessage("two handlers for type welcome in queue mail: only one can run a job");
  }

  private Workers workersOf(Handler handler) {
    return workers(handler).pollInterval(Duration.ofMillis(20)).start();
  }

  private Workers.Builder workers(Handler handler) {
    return Workers.over(jobs).handle("mail", "welcome", handler);
  }
}
