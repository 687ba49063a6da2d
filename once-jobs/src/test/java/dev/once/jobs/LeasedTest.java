package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.BeginResult;
import dev.once.Codec;
import dev.once.EffectState;
import dev.once.Execution;
import dev.once.Key;
import dev.once.Once;
import dev.once.Recovery;
import dev.once.Request;
import dev.once.TenantLimits;
import dev.once.Terms;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@SuppressWarnings("try") // Workers work until they are closed.
class LeasedTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("leased");
  private static final JobKey KEY = new JobKey("acme", "mail", "welcome", "1");

  private static final Terms SHORT_LEASE = Terms.DEFAULT.withLease(Duration.ofMillis(500));

  private final RecordedJobEvents events = new RecordedJobEvents();
  private final Jobs jobs = Jobs.builder(DATABASE.dataSource()).listener(events).build();
  private final JdbcRecordStore store = JdbcRecordStore.over(DATABASE.dataSource());
  private final Once once = Once.over(store);
  private final List<JobRun> runs = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    once.close();
    jobs.close();
  }

  @Test
  void whatWasDoneIsRememberedUnderTheKeyOfTheJob() throws Exception {
    try (Workers workers = workersOf(Handler.leased(once, runs::add))) {
      jobs.enqueue(Job.of(KEY));
      events.await(JobEvent.Completed.class, 1);
    }

    assertThat(runs).hasSize(1);
    assertThat(DATABASE.query("SELECT scope || ' ' || key || ' ' || state FROM once_record"))
        .containsExactly("job:mail welcome:1 completed");
  }

  @Test
  void whatWasDoneIsRememberedAsLongAsTheKeyOfTheJob() throws Exception {
    Duration retention = Duration.ofDays(9);
    try (Jobs longer =
            Jobs.builder(DATABASE.dataSource()).retention(retention).listener(events).build();
        Workers workers =
            Workers.over(longer)
                .handle("mail", "welcome", Handler.leased(once, runs::add))
                .start()) {
      longer.enqueue(Job.of(KEY));
      events.await(JobEvent.Completed.class, 1);
    }

    assertThat(
            DATABASE.query(
                """
                SELECT date_bin('1 hour', r.expires_at - d.finished_at + timestamptz 'epoch'
                    + interval '30 minutes', timestamptz 'epoch') - timestamptz 'epoch',
                  date_bin('1 hour', d.keep_until - d.finished_at + timestamptz 'epoch'
                    + interval '30 minutes', timestamptz 'epoch') - timestamptz 'epoch'
                FROM once_record r, once_job_done d
                """))
        .isEqualTo(DATABASE.query("SELECT interval '9 days', interval '9 days'"));
  }

  @Test
  void aJobWhoseTenantIsAtALimitComesBackWithoutBeingChargedWithATry() throws Exception {
    try (Once limited = Once.builder(store).limits(TenantLimits.NONE.withMaxInFlight(1)).build();
        Workers workers = workersOf(Handler.leased(limited, runs::add))) {
      Request<@Nullable Void> other = Request.of(new Key("acme", "other", "1"), Codec.nothing());
      var running = (BeginResult.Running<@Nullable Void>) limited.begin(other);
      jobs.enqueue(Job.of(KEY));
      events.await(JobEvent.Returned.class, 1);
      running.complete(null);
      events.await(JobEvent.Completed.class, 1);
    }

    assertThat(runs).extracting(JobRun::attempt).containsExactly(1);
  }

  @Test
  void aDuplicateOfADoneJobIsAcknowledgedWithoutRunning() throws Exception {
    once.run(request(), execution -> null);

    try (Workers workers = workersOf(Handler.leased(once, runs::add))) {
      jobs.enqueue(Job.of(KEY));
      events.await(JobEvent.Completed.class, 1);
    }

    assertThat(runs).isEmpty();
  }

  @Test
  void aJobThatWasSnoozedOftenIsRunAgainAfterItsWorkerVanished() throws Exception {
    Terms few = SHORT_LEASE.withMaxAttempts(1);
    claimElsewhere(few);

    try (Workers workers = workersOf(Handler.leased(once, runs::add).withTerms(few))) {
      jobs.enqueue(Job.of(KEY));
      events.await(JobEvent.Completed.class, 1);
    }

    assertThat(runs).hasSize(1);
  }

  @Test
  void aJobThatNeedsAHeldKeyComesBackWithoutLosingAnAttempt() throws Exception {
    Request<@Nullable Void> step =
        Request.of(new Key("acme", "step:order-42", "charge"), Codec.nothing());
    BeginResult.Running<@Nullable Void> elsewhere =
        (BeginResult.Running<@Nullable Void>) once.begin(step.withTerms(SHORT_LEASE));

    Handler handler =
        Handler.leased(once, run -> once.run(step, execution -> null).orThrow())
            .withRetries(RetryPolicy.DEFAULT.withAttempts(1));
    try (Workers workers = workersOf(handler)) {
      jobs.enqueue(Job.of(KEY));
      events.await(JobEvent.Returned.class, 1);
      elsewhere.complete(null);
      events.await(JobEvent.Completed.class, 1);
    }

    assertThat(events.all(JobEvent.Failed.class)).isEmpty();
  }

  @Test
  void aJobWhoseKeyWasUsedForSomethingElseIsDead() throws Exception {
    once.run(Request.of(KEY.toKey(), Codec.nothing()), execution -> null);

    try (Workers workers = workersOf(Handler.leased(once, runs::add))) {
      jobs.enqueue(Job.of(KEY));

      assertThat(events.await(JobEvent.Died.class, 1))
          .extracting(JobEvent.Died::reason)
          .containsExactly("its key was used before, for something else");
    }
    assertThat(runs).isEmpty();
  }

  @Test
  void aJobWhoseEarlierRunIsStillAtItComesBackUncharged() throws Exception {
    Claim.Granted other = claimElsewhere(Terms.DEFAULT);

    try (Workers workers = workersOf(Handler.leased(once, runs::add))) {
      jobs.enqueue(Job.of(KEY));
      events.await(JobEvent.Returned.class, 1);
      assertThat(runs).isEmpty();

      store.release(other);
      DATABASE.elapse(Duration.ofMinutes(1));
      events.await(JobEvent.Completed.class, 1);
    }
    assertThat(runs).extracting(JobRun::attempt).containsExactly(1);
  }

  @Test
  void aFailedTryComesAgainWithTheSameKeyAndAHigherFence() throws Exception {
    Handler failsTwice =
        Handler.leased(
                once,
                run -> {
                  runs.add(run);
                  if (runs.size() < 3) {
                    throw new IllegalStateException("no luck");
                  }
                })
            .withRetries(TestJobs.SOON);
    try (Workers workers = workersOf(failsTwice)) {
      jobs.enqueue(Job.of(KEY));
      events.await(JobEvent.Completed.class, 1);
    }

    assertThat(runs).extracting(JobRun::key).containsOnly(KEY);
    assertThat(runs).extracting(JobRun::fence).doesNotHaveDuplicates().isSorted();
    assertThat(runs).extracting(JobRun::attempt).containsExactly(1, 2, 3);
  }

  @Test
  void workThatMustNotBeRepeatedIsReconciledAfterACrash() throws Exception {
    claimElsewhere(Terms.DEFAULT.withRecovery(Recovery.ASK));
    DATABASE.execute("UPDATE once_record SET lease_until = now() - interval '1 second'");

    Handler.Leased asks = Handler.leased(once, runs::add).asking(LeasedTest::wasDone);
    try (Workers workers = workersOf(asks)) {
      jobs.enqueue(Job.of(KEY));
      events.await(JobEvent.Completed.class, 1);
    }
    assertThat(runs).isEmpty();
  }

  @Test
  void whatMustNotBeRepeatedRunsAgainAfterItSnoozed() throws Exception {
    Handler.Leased snoozesOnce =
        Handler.leased(
                once,
                run -> {
                  runs.add(run);
                  if (runs.size() == 1) {
                    throw new JobException.Snooze("too early", Duration.ofMillis(1));
                  }
                })
            .asking(LeasedTest::wasDone);
    try (Workers workers = workersOf(snoozesOnce)) {
      jobs.enqueue(Job.of(KEY));
      events.await(JobEvent.Completed.class, 1);
    }
    assertThat(runs).hasSize(2);
  }

  private static EffectState<@Nullable Void> wasDone(Execution execution) {
    return EffectState.happened(null);
  }

  private Claim.Granted claimElsewhere(Terms terms) {
    Request<@Nullable Void> request = request();
    Claim claim =
        store.claim(
            ClaimRequest.of(request.key(), terms.lease(), terms.retention())
                .withFingerprint(request.fingerprint())
                .withRecovery(terms.recovery())
                .withMaxAttempts(terms.maxAttempts())
                .withCorrelation(request.correlation()));
    return (Claim.Granted) claim;
  }

  private static Request<@Nullable Void> request() {
    return Request.of(KEY.toKey(), Codec.nothing()).withFingerprint(Job.of(KEY).fingerprint());
  }

  private Workers workersOf(Handler handler) {
    return Workers.over(jobs)
        .handle("mail", "welcome", handler)
        .pollInterval(Duration.ofMillis(20))
        .start();
  }
}
