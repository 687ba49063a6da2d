package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An attempt counts when its handler begins: a process that ends holds jobs that never began. */
@SuppressWarnings("try") // Workers work until they are closed.
class AttemptCountTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("attempts");

  private final RecordedJobEvents events = new RecordedJobEvents();
  private final Jobs jobs = Jobs.builder(DATABASE.dataSource()).listener(events).build();
  private final JobStatements statements = new JobStatements(DATABASE);
  private final List<Integer> attempts = new CopyOnWriteArrayList<>();
  private final List<String> rows = new CopyOnWriteArrayList<>();

  @Test
  void aClaimWhoseHandlerNeverBeganIsNoAttempt() throws Exception {
    jobs.enqueue(TestJobs.job("1"));
    for (int i = 0; i < 100; i++) {
      loseTheProcessOf(statements.claimOne("mail"));
    }

    try (Workers workers = workersOf(Handler.transactional((run, it) -> record(run)))) {
      events.await(JobEvent.Completed.class, 1);
    }

    assertThat(attempts).containsExactly(1);
    assertThat(DATABASE.query("SELECT attempt FROM once_job_done")).containsExactly("1");
  }

  @Test
  void theFirstAttemptIsNotWrittenAndASuspectOneIs() throws Exception {
    jobs.enqueue(TestJobs.job("1"));
    try (Workers workers = workersOf(failsOnce())) {
      events.await(JobEvent.Completed.class, 1);
    }
    assertThat(rows).containsExactly("0 false", "1 false");

    rows.clear();
    jobs.enqueue(TestJobs.job("2"));
    loseTheProcessOf(statements.claimOne("mail"));
    try (Workers workers = workersOf(failsOnce())) {
      events.await(JobEvent.Completed.class, 2);
    }
    assertThat(rows).containsExactly("1 true", "1 false");
  }

  @Test
  void aJobThatEndsItsProcessEveryTimeIsADeadLetterInTheEnd() throws Exception {
    RetryPolicy twice = RetryPolicy.SHORT.withAttempts(2);
    jobs.enqueue(TestJobs.job("1"));
    loseTheProcessOf(statements.claimOne("mail"));
    for (int attempt = 1; attempt <= twice.attempts(); attempt++) {
      ClaimedJob job = statements.claimOne("mail");
      assertThat(statements.count(job)).isTrue();
      loseTheProcessOf(job);
    }

    Handler handler = Handler.transactional((run, it) -> record(run)).withRetries(twice);
    try (Workers workers = workersOf(handler)) {
      assertThat(events.await(JobEvent.Died.class, 1))
          .extracting(JobEvent.Died::attempt)
          .containsExactly(2);
    }
    assertThat(attempts).isEmpty();
  }

  @Test
  void theLastAttemptIsCountedBeforeItBegins() throws Exception {
    jobs.enqueue(TestJobs.job("1"));
    Handler handler = Handler.transactional((run, it) -> record(run));
    try (Workers workers = workersOf(handler.withRetries(RetryPolicy.SHORT.withAttempts(1)))) {
      events.await(JobEvent.Completed.class, 1);
    }

    assertThat(rows).containsExactly("1 true");
    assertThat(DATABASE.query("SELECT attempt FROM once_job_done")).containsExactly("1");
  }

  @Test
  void aSnoozeTakesBackWhatWasCountedInAdvance() throws Exception {
    jobs.enqueue(TestJobs.job("1"));
    loseTheProcessOf(statements.claimOne("mail"));
    Handler.TransactionalWork snoozes =
        (run, it) -> {
          record(run);
          if (attempts.size() < 5) {
            throw new JobException.Snooze("too early", Duration.ofMillis(1));
          }
        };
    try (Workers workers = workersOf(Handler.transactional(snoozes))) {
      events.await(JobEvent.Completed.class, 1);
    }
    assertThat(attempts).containsExactly(1, 1, 1, 1, 1);
  }

  @Test
  void aCountThatALaterOwnerOvertookChangesNothing() {
    jobs.enqueue(TestJobs.job("1"));
    ClaimedJob old = statements.claimOne("mail");
    loseTheProcessOf(old);
    statements.claimOne("mail");

    assertThat(statements.count(old)).isFalse();
    assertThat(DATABASE.query("SELECT attempt FROM once_job")).containsExactly("0");
  }

  private Handler failsOnce() {
    return Handler.transactional(
            (run, it) -> {
              record(run);
              if (run.attempt() == 1) {
                throw new IllegalStateException("no luck");
              }
            })
        .withRetries(TestJobs.SOON);
  }

  private void record(JobRun run) {
    attempts.add(run.attempt());
    rows.addAll(
        DATABASE.query("SELECT attempt || ' ' || counted FROM once_job WHERE id = " + run.id()));
  }

  private void loseTheProcessOf(ClaimedJob job) {
    DATABASE.execute("UPDATE once_job SET lease_until = clock_timestamp() WHERE id = " + job.id());
    statements.makeReady();
  }

  private Workers workersOf(Handler handler) {
    return Workers.over(jobs)
        .handle("mail", "welcome", handler)
        .pollInterval(Duration.ofMillis(20))
        .start();
  }
}
