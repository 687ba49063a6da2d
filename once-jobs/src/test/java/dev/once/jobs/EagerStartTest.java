package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.InMemoryRecordStore;
import dev.once.Once;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job that is enqueued as leased to its own process is like any other claimed job. */
@SuppressWarnings("try") // Workers work until they are closed.
class EagerStartTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("eager");
  private static final Duration LEASE = Duration.ofSeconds(20);
  private static final Queue MAIL = Queue.named("mail").withLease(LEASE);
  private static final Handler WRITES = Handler.transactional(JobDatabase::handle);

  private final RecordedJobEvents events = new RecordedJobEvents();
  private final FrameworkTransactions transactions =
      new FrameworkTransactions(DATABASE.dataSource());
  private final Jobs jobs =
      Jobs.builder(DATABASE.dataSource()).transactions(transactions).listener(events).build();
  private final JobStatements statements = new JobStatements(DATABASE);
  private final AtomicInteger probes = new AtomicInteger();

  @AfterEach
  void close() throws SQLException {
    transactions.close();
    jobs.close();
  }

  @Test
  void aJobOfAProcessWithAFreeSlotRunsWithTheFenceThatItWasEnqueuedWith() throws SQLException {
    try (Workers workers = start(WRITES)) {
      awaitEager();
      transactions.begin();
      EnqueueResult result = jobs.enqueue(TestJobs.job("mine"));
      long fence = fenceOf("mine");
      transactions.commit();

      assertThat(result.state()).isEqualTo(JobState.RUNNING);
      JobEvent.Completed end = awaitCompleted("mine");
      assertThat(end.fence()).isEqualTo(fence);
      assertThat(end.attempt()).isEqualTo(1);
    }
    assertThat(DATABASE.handled()).containsOnlyOnce("mine");
    assertThat(statements.states()).isEmpty();
  }

  @Test
  void aJobInATransactionOfItsOwnStartsEagerlyToo() {
    try (Workers workers = start(WRITES)) {
      awaitEager();

      assertThat(enqueueAlone("mine").state()).isEqualTo(JobState.RUNNING);
      awaitCompleted("mine");
    }
  }

  @Test
  void aJobThatADecisionMadeNecessaryStartsEagerlyToo() throws SQLException {
    try (Workers workers = start(WRITES)) {
      awaitEager();
      transactions.begin();
      jobs.<@Nullable Void>enqueueWith("deciding", EagerStartTest::decide);
      long fence = fenceOf("mine");
      transactions.commit();

      assertThat(awaitCompleted("mine").fence()).isEqualTo(fence);
    }
  }

  @Test
  void aDecisionThatWasRepeatedStartsItsJobsOnce() {
    AtomicInteger decisions = new AtomicInteger();
    try (Workers workers = start(WRITES)) {
      awaitEager();
      jobs.<@Nullable Void>enqueueWith(
          "deciding",
          (connection, added) -> {
            decide(connection, added);
            if (decisions.incrementAndGet() < 3) {
              throw new SQLException("a conflict", "40001");
            }
            return null;
          });

      awaitCompleted("mine");
    }
    assertThat(decisions).hasValue(3);
    assertThat(DATABASE.handled()).containsOnlyOnce("mine");
  }

  private static @Nullable Void decide(Connection connection, List<Job> added) {
    added.add(TestJobs.job("mine"));
    return null;
  }

  @Test
  void itsHandlerSeesWhatWasEnqueued() {
    List<JobRun> runs = new CopyOnWriteArrayList<>();
    try (Workers workers = start(Handler.transactional((run, connection) -> runs.add(run)))) {
      awaitEager();
      runs.clear();
      jobs.enqueue(TestJobs.job("mine").withText("hello").withPriority(3));
      awaitCompleted("mine");
    }

    assertThat(runs).hasSize(1);
    assertThat(runs.get(0).text()).isEqualTo("hello");
    assertThat(runs.get(0).attempt()).isEqualTo(1);
    assertThat(runs.get(0).enqueuedAt()).isNotNull();
  }

  @Test
  void aJobThatFailedRunsAgainWithAHigherFence() {
    Handler failsAtFirst =
        Handler.transactional(
            (run, connection) -> {
              JobDatabase.handle(run, connection);
              if (run.key().resource().equals("mine") && run.attempt() == 1) {
                throw new IllegalStateException("no luck");
              }
            });
    try (Workers workers = start(failsAtFirst.withRetries(TestJobs.SOON))) {
      awaitEager();
      jobs.enqueue(TestJobs.job("mine"));

      assertThat(awaitCompleted("mine").attempt()).isEqualTo(2);
    }
    assertThat(
            events.all(JobEvent.Started.class).stream()
                .filter(it -> it.key().resource().equals("mine"))
                .map(JobEvent.Started::fence)
                .toList())
        .hasSize(2)
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Test
  void aRollbackLeavesNothing() throws SQLException {
    try (Workers workers = start(WRITES)) {
      awaitEager();
      transactions.begin();
      jobs.enqueue(TestJobs.job("mine"));
      transactions.rollback();
      jobs.enqueue(TestJobs.job("other"));

      awaitCompleted("other");
      assertThat(statements.states()).isEmpty();
    }
    assertThat(DATABASE.handled()).doesNotContain("mine");
  }

  @Test
  void anotherProcessTakesOverTheJobOfOneThatEndedAfterTheCommit() throws SQLException {
    try (Workers workers = start(WRITES)) {
      awaitEager();
      transactions.begin();
      jobs.enqueue(TestJobs.job("mine"));
      long fence = fenceOf("mine");
      transactions.commitWithoutAnswer();
      assertThat(statements.claim(MAIL, 1)).as("its lease runs").isEmpty();

      DATABASE.elapse(LEASE);
      Polling.until(DATABASE::handled, it -> it.contains("mine"));
      transactions.answer(); // The process was paused, and did not end.

      JobEvent.LeaseLost lost = events.await(JobEvent.LeaseLost.class, 1).get(0);
      assertThat(lost.fence()).isEqualTo(fence);
      assertThat(awaitCompleted("mine").fence()).isGreaterThan(fence);
    }
    assertThat(DATABASE.handled()).containsOnlyOnce("mine");
  }

  @Test
  void aProcessThatLearnsOfItsCommitAfterATakeOverChangesNothing() throws SQLException {
    try (Workers workers = start(WRITES)) {
      awaitEager();
      transactions.begin();
      jobs.enqueue(TestJobs.job("mine"));
      transactions.commitWithoutAnswer();
      DATABASE.execute("UPDATE once_job SET fence = fence + 1"); // Elsewhere it runs already.
      transactions.answer();

      events.await(JobEvent.LeaseLost.class, 1);
    }
    assertThat(DATABASE.handled()).doesNotContain("mine");
    assertThat(statements.states()).containsExactly("welcome:mine running");
  }

  @Test
  void aJobThatWasRolledBackToASavepointHasNoEffect() throws SQLException {
    List<String> effects = new CopyOnWriteArrayList<>();
    try (Once once = Once.over(new InMemoryRecordStore());
        Workers workers = start(Handler.leased(once, run -> effects.add(run.key().resource())))) {
      awaitEager();
      Connection connection = transactions.begin();
      Savepoint savepoint = connection.setSavepoint();
      jobs.enqueue(TestJobs.job("gone"));
      connection.rollback(savepoint);
      jobs.enqueue(TestJobs.job("mine"));
      transactions.commit();

      awaitCompleted("mine");
      events.await(JobEvent.LeaseLost.class, 1);
    }
    assertThat(effects).contains("mine").doesNotContain("gone");
  }

  @Test
  void aTransactionThatOutlastsTheLeaseLosesNoJob() throws Exception {
    Queue shortly = MAIL.withLease(Queue.MIN_LEASE);
    try (Workers workers = start(WRITES, shortly)) {
      awaitEager();
      Connection connection = transactions.begin();
      assertThat(jobs.enqueue(TestJobs.job("mine")).state()).isEqualTo(JobState.RUNNING);
      Sql.execute(connection, "SELECT pg_sleep(0.6)");
      transactions.commit();

      awaitCompleted("mine");
    }
    assertThat(DATABASE.handled()).containsOnlyOnce("mine");
    assertThat(statements.states()).isEmpty();
  }

  @Test
  void theOtherJobsOfARefusedCallStartIfTheCallerCommits() throws SQLException {
    try (Workers workers = start(WRITES)) {
      awaitEager();
      DATABASE.jobs().enqueue(TestJobs.job("b").withText("hello").withDelay(LEASE));
      transactions.begin();
      assertThatThrownBy(
              () ->
                  jobs.enqueueAll(List.of(TestJobs.job("b"), TestJobs.job("a"), TestJobs.job("c"))))
          .isInstanceOf(JobMismatchException.class);
      transactions.commit();

      awaitCompleted("a");
      awaitCompleted("c");
    }
  }

  @Test
  void workersThatCloseBeforeTheCommitLeaveTheJobToOthers() throws SQLException {
    try (Workers workers = start(WRITES)) {
      awaitEager();
      transactions.begin();
      jobs.enqueue(TestJobs.job("mine"));
    }
    transactions.commit();
    DATABASE.elapse(LEASE);
    statements.makeReady();

    assertThat(statements.claimOne("mail").key().resource()).isEqualTo("mine");
    assertThat(DATABASE.handled()).doesNotContain("mine");
  }

  @Test
  void aProcessWithoutWorkersEnqueuesForAll() {
    assertThat(enqueueAlone("mine").state()).isEqualTo(JobState.READY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"concurrency", "tenant", "rate"})
  void onlyAClaimDecidesWhereAQueueHasALimit(String limit) {
    Queue limited =
        switch (limit) {
          case "concurrency" -> MAIL.withConcurrency(100);
          case "tenant" -> MAIL.withTenantConcurrency(100);
          default -> MAIL.withRate(1000, Duration.ofSeconds(1));
        };
    try (Workers workers = start(WRITES, limited)) {
      for (int i = 0; i < 5; i++) {
        assertThat(enqueueAlone("limited-" + i).state()).isEqualTo(JobState.READY);
        awaitCompleted("limited-" + i);
      }
    }
  }

  @Test
  void noJobStartsInAQueueThatIsPaused() {
    AtomicBoolean isPaused = new AtomicBoolean();
    try (Workers workers = start(WRITES, MAIL.pausedWhile(isPaused::get))) {
      awaitEager();
      isPaused.set(true);
      assertThat(enqueueAlone("mine").state()).isEqualTo(JobState.READY);
      isPaused.set(false);
      awaitCompleted("mine");
    }
  }

  @Test
  void aQueueThatCannotSayWhetherItIsPausedRefusesNoJob() {
    AtomicBoolean isBroken = new AtomicBoolean();
    BooleanSupplier isPaused =
        () -> {
          if (isBroken.get()) {
            throw new IllegalStateException("broken");
          }
          return false;
        };
    try (Workers workers = start(WRITES, MAIL.pausedWhile(isPaused))) {
      awaitEager();
      isBroken.set(true);
      assertThat(enqueueAlone("mine").state()).isEqualTo(JobState.READY);
      isBroken.set(false);
      awaitCompleted("mine");
    }
  }

  @Test
  void jobsThatMayNotRunYetWait() throws SQLException {
    try (Workers workers = start(WRITES)) {
      awaitEager();
      assertThat(jobs.enqueue(TestJobs.job("later").withDelay(LEASE)).state())
          .isEqualTo(JobState.WAITING);
      assertThat(jobs.enqueue(TestJobs.job("ordered").withAggregate("a")).state())
          .isEqualTo(JobState.READY);
      awaitEager();
      transactions.begin(Connection.TRANSACTION_REPEATABLE_READ);
      assertThat(jobs.enqueue(TestJobs.job("unchecked")).state()).isEqualTo(JobState.WAITING);
      transactions.commit();

      awaitCompleted("unchecked");
    }
  }

  @Test
  void jobsWithoutASlotAreLeftToAllProcesses() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(2);
    CountDownLatch open = new CountDownLatch(1);
    Handler waits =
        Handler.transactional(
            (run, connection) -> {
              if (run.key().resource().startsWith("slow")) {
                begun.countDown();
                open.await();
              }
            });
    try (Workers workers = start(waits, MAIL.withSlots(2))) {
      awaitEager();
      jobs.enqueueAll(List.of(TestJobs.job("slow-1"), TestJobs.job("slow-2")));
      assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
      // A process may hold a few more than it has slots for if it was fast.
      int left = 0;
      for (int i = 0; i < 50 && left == 0; i++) {
        left += enqueueAlone("next-" + i).state() == JobState.READY ? 1 : 0;
      }
      assertThat(left).isEqualTo(1);
      open.countDown();
      statements.awaitAllDone();
    }
  }

  private EnqueueResult enqueueAlone(String resource) {
    return jobs.enqueue(TestJobs.job(resource));
  }

  /** Waits until the workers know that there is no backlog, and run nothing. */
  private void awaitEager() {
    Polling.until(
        () -> enqueueAlone("probe-" + probes.incrementAndGet()).state(),
        state -> state == JobState.RUNNING);
    for (int i = 1; i <= probes.get(); i++) {
      awaitCompleted("probe-" + i);
    }
  }

  private JobEvent.Completed awaitCompleted(String resource) {
    return Polling.until(
            () ->
                events.all(JobEvent.Completed.class).stream()
                    .filter(it -> it.key().resource().equals(resource))
                    .toList(),
            it -> !it.isEmpty())
        .get(0);
  }

  private long fenceOf(String resource) throws SQLException {
    String sql = "SELECT fence FROM once_job WHERE key = 'welcome:" + resource + "'";
    return Long.parseLong(Sql.query(transactions.current().orElseThrow(), sql).get(0));
  }

  private Workers start(Handler handler) {
    return start(handler, MAIL);
  }

  private Workers start(Handler handler, Queue queue) {
    return Workers.over(jobs)
        .pollInterval(Duration.ofMillis(50))
        .queue(queue)
        .handle("mail", "welcome", handler)
        .start();
  }
}
