package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.EffectState;
import dev.once.Once;
import dev.once.jdbc.JdbcRecordStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the attempts of a job did is remembered for a time, and the job may come back later. */
@SuppressWarnings("try") // Workers work until they are closed.
class ForgottenEffectsTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("forgotten");
  private static final Duration MONTH = Duration.ofDays(30);

  private final RecordedJobEvents events = new RecordedJobEvents();
  private final Jobs jobs = Jobs.builder(DATABASE.dataSource()).listener(events).build();
  private final Once once = Once.over(JdbcRecordStore.over(DATABASE.dataSource()));
  private final JobStatements statements = new JobStatements(DATABASE);
  private final AtomicInteger runs = new AtomicInteger();

  @BeforeEach
  void oneJob() {
    jobs.enqueue(TestJobs.job("1"));
  }

  @AfterEach
  void close() {
    once.close();
  }

  @Test
  void anAttemptIsRefusedWhenTheFirstOneMayBeForgotten() throws Exception {
    statements.reschedule(statements.claimOne("mail"), Duration.ofDays(31), RunKind.COUNTED);
    DATABASE.elapse(Duration.ofDays(31));

    try (Workers workers = workersOf(leased())) {
      assertThat(events.await(JobEvent.Died.class, 1).get(0).reason())
          .startsWith("its first attempt was PT744H")
          .endsWith("ago, and its effects are remembered for PT720H");
    }
    assertThat(runs).hasValue(0);
    assertThat(retried()).isEmpty();
  }

  @Test
  void aDeadLetterIsRetriedAsLongAsItsEffectsAreRemembered() throws Exception {
    die(leased());
    DATABASE.elapse(MONTH.minusHours(1));

    assertThat(retried()).hasSize(1);
    try (Workers workers = workersOf(Handler.leased(once, run -> runs.incrementAndGet()))) {
      events.await(JobEvent.Completed.class, 1);
    }
    assertThat(runs).hasValue(2);
  }

  @Test
  void aForgottenDeadLetterIsOnlyRepeated() throws Exception {
    die(leased());
    DATABASE.elapse(MONTH);

    assertThat(retried()).isEmpty();
    assertThat(jobs.deadLetters().retryAll(LetterQuery.of("acme"), "ann")).isEmpty();
    assertThat(jobs.deadLetters().repeat("acme", ids(), "ann")).hasSize(1);
    try (Workers workers = workersOf(Handler.leased(once, run -> runs.incrementAndGet()))) {
      events.await(JobEvent.Completed.class, 1);
    }
    assertThat(jobs.deadLetters().audit("acme", 0, 10))
        .extracting(LetterAudit::action)
        .containsExactly(LetterAudit.Action.REPEAT);
  }

  @Test
  void failedTransactionsLeaveNothingToForget() throws Exception {
    die(
        Handler.transactional(
            (run, it) -> {
              throw new IllegalStateException("no luck");
            }));
    DATABASE.elapse(MONTH.multipliedBy(2));

    assertThat(jobs.deadLetters().list(LetterQuery.of("acme")).get(0).forgetAt()).isEmpty();
    assertThat(retried()).hasSize(1);
  }

  @Test
  void workThatMustAskIsNotRepeatedAfterAnOutageThatOutlastsItsRecord() throws Exception {
    statements.claimOne("mail");
    DATABASE.elapse(Duration.ofHours(60));
    statements.makeReady();

    Handler asks =
        Handler.leased(once, run -> runs.incrementAndGet())
            .asking(execution -> EffectState.unknown());
    try (Workers workers = workersOf(asks)) {
      assertThat(events.await(JobEvent.Died.class, 1).get(0).reason())
          .startsWith("its last run ended PT5")
          .endsWith("and that it was done is remembered for PT24H");
    }
    assertThat(runs).hasValue(0);
    assertThat(retried()).isEmpty();
  }

  @Test
  void workThatMayBeRepeatedRunsAgainAfterSuchAnOutage() throws Exception {
    statements.claimOne("mail");
    DATABASE.elapse(Duration.ofHours(60));
    statements.makeReady();

    try (Workers workers = workersOf(Handler.leased(once, run -> runs.incrementAndGet()))) {
      events.await(JobEvent.Completed.class, 1);
    }
    assertThat(runs).hasValue(1);
  }

  @Test
  void aJobThatNeverBeganHasNothingToForget() throws Exception {
    statements.reschedule(statements.claimOne("mail"), Duration.ofDays(40), RunKind.NOT_BEGUN);
    DATABASE.elapse(Duration.ofDays(40));

    try (Workers workers = workersOf(Handler.leased(once, run -> runs.incrementAndGet()))) {
      events.await(JobEvent.Completed.class, 1);
    }
    assertThat(runs).hasValue(1);
  }

  private Handler leased() {
    return Handler.leased(
        once,
        run -> {
          runs.incrementAndGet();
          throw new JobException.GiveUp("no such user");
        });
  }

  private void die(Handler handler) throws Exception {
    try (Workers workers = workersOf(handler.withRetries(RetryPolicy.SHORT.withAttempts(1)))) {
      events.await(JobEvent.Died.class, 1);
    }
  }

  private Set<Long> retried() {
    return jobs.deadLetters().retry("acme", ids(), "ann");
  }

  private static List<Long> ids() {
    return DATABASE.query("SELECT id FROM once_job").stream().map(Long::valueOf).toList();
  }

  private Workers workersOf(Handler handler) {
    return Workers.over(jobs)
        .handle("mail", "welcome", handler)
        .pollInterval(Duration.ofMillis(20))
        .start();
  }
}
