package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What operators do with jobs that are not finished. */
@SuppressWarnings("try") // Workers work until they are closed.
class JobAdminTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("admin");

  private final RecordedJobEvents events = new RecordedJobEvents();
  private final Jobs jobs = Jobs.builder(DATABASE.dataSource()).listener(events).build();
  private final JobAdmin admin = jobs.admin();
  private final JobStatements statements = new JobStatements(DATABASE);
  private final AtomicInteger runs = new AtomicInteger();

  @Test
  void listsJobsPageByPage() {
    jobs.enqueueAll(TestJobs.jobs(25));
    jobs.enqueue(TestJobs.job("other", "1"));
    List<String> seen = new ArrayList<>();
    Optional<JobKey> next = Optional.empty();
    do {
      JobQuery query = JobQuery.of("acme").withLimit(10);
      JobPage page = admin.list(next.map(query::after).orElse(query));
      page.jobs().forEach(it -> seen.add(it.key().resource()));
      next = page.next();
    } while (next.isPresent());

    assertThat(seen).hasSize(25).doesNotHaveDuplicates();
  }

  @Test
  void listsByQueueTypeAndState() {
    jobs.enqueueAll(TestJobs.jobs(3));
    jobs.enqueue(TestJobs.job("later").withDelay(Duration.ofHours(1)));
    jobs.enqueue(Job.of(new JobKey("acme", "mail", "goodbye", "1")));
    jobs.enqueue(Job.of(new JobKey("acme", "search", "welcome", "1")));
    JobQuery mail = JobQuery.of("acme").inQueue("mail");

    assertThat(admin.list(mail).jobs()).hasSize(5);
    assertThat(admin.list(mail.ofType("goodbye")).jobs()).hasSize(1);
    assertThat(admin.list(mail.inState(JobState.WAITING)).jobs())
        .extracting(it -> it.key().resource())
        .containsExactly("later");
    assertThat(admin.list(mail).next()).isEmpty();
  }

  @Test
  void findsAJobByItsIdInItsTenantAlone() {
    long id = jobs.enqueue(TestJobs.job("1").withDelay(Duration.ofHours(1))).id();

    assertThat(admin.find("acme", id))
        .hasValueSatisfying(
            it -> {
              assertThat(it.key()).isEqualTo(TestJobs.job("1").key());
              assertThat(it.state()).isEqualTo(JobState.WAITING);
            });
    assertThat(admin.find("other", id)).isEmpty();
    assertThat(admin.find("acme", id + 1)).isEmpty();
  }

  @Test
  void aCancelledJobDoesNotRunAndItsKeyIsDone() {
    long id = jobs.enqueue(TestJobs.job("1").withDelay(Duration.ofHours(1))).id();

    assertThat(admin.cancel("other", List.of(id), "ann")).isEmpty();
    assertThat(admin.cancel("acme", List.of(id), "ann")).containsExactly(id);

    assertThat(statements.states()).isEmpty();
    assertThat(jobs.enqueue(TestJobs.job("1").withDelay(Duration.ofHours(1))).created()).isFalse();
    assertThat(jobs.deadLetters().audit("acme", 0, 10))
        .extracting(LetterAudit::action)
        .containsExactly(LetterAudit.Action.CANCEL);
  }

  @Test
  void aCancelledHandlerIsInterruptedAndRolledBack() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    Handler.TransactionalWork hangs =
        (run, connection) -> {
          JobDatabase.handle(run, connection);
          begun.countDown();
          try {
            new CountDownLatch(1).await();
          } finally {
            interrupted.countDown();
          }
        };
    long id = jobs.enqueue(TestJobs.job("1")).id();
    try (Workers workers =
        Workers.over(jobs)
            .queue(Queue.named("mail").withLease(Queue.MIN_LEASE))
            .handle("mail", "welcome", Handler.transactional(hangs))
            .start()) {
      begun.await();
      assertThat(admin.cancel("acme", List.of(id), "ann")).containsExactly(id);
      interrupted.await();
      events.await(JobEvent.LeaseLost.class, 1);
    }

    assertThat(DATABASE.handled()).isEmpty();
    assertThat(statements.states()).isEmpty();
  }

  @Test
  void cancellingABlockedJobDoesNotStartTheNextOne() {
    List<Long> ids = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      ids.add(jobs.enqueue(TestJobs.job("" + i).withAggregate("a")).id());
    }

    admin.cancel("acme", List.of(ids.get(1)), "ann");
    assertThat(statements.states()).containsExactly("welcome:1 ready", "welcome:3 blocked");
    admin.cancel("acme", List.of(ids.get(0)), "ann");
    assertThat(statements.states()).containsExactly("welcome:3 ready");
  }

  @Test
  void aDeadLetterIsNotCancelled() {
    long id = new DeadLetterFixture(DATABASE, jobs).deadLetter(TestJobs.job("1"));

    assertThat(admin.cancel("acme", List.of(id), "ann")).isEmpty();
    assertThat(admin.postpone("acme", List.of(id), Duration.ZERO, "ann")).isEmpty();
  }

  @Test
  void aJobRunsNowOrLater() throws Exception {
    long later = jobs.enqueue(TestJobs.job("later").withDelay(Duration.ofHours(1))).id();
    long now = jobs.enqueue(TestJobs.job("now")).id();

    assertThat(admin.postpone("acme", List.of(now), Duration.ofHours(1), "ann")).hasSize(1);
    assertThat(admin.postpone("acme", List.of(later), Duration.ZERO, "ann")).hasSize(1);

    assertThat(statements.states()).containsExactly("welcome:later ready", "welcome:now waiting");
    try (Workers workers = workersOf(Handler.transactional((run, it) -> runs.incrementAndGet()))) {
      events.await(JobEvent.Completed.class, 1);
    }
  }

  @Test
  void anAttemptThatExceedsItsDeadlineFails() throws Exception {
    Handler hangsOnce =
        Handler.transactional(
                (run, it) -> {
                  if (run.attempt() == 1) {
                    new CountDownLatch(1).await();
                  }
                })
            .withRetries(TestJobs.SOON)
            .withDeadline(Duration.ofMillis(50));
    try (Workers workers = workersOf(hangsOnce)) {
      jobs.enqueue(TestJobs.job("1"));
      events.await(JobEvent.Completed.class, 1);
    }

    assertThat(events.all(JobEvent.Failed.class))
        .extracting(JobEvent.Failed::reason)
        .containsExactly("it was interrupted at its deadline: java.lang.InterruptedException");
  }

  @Test
  void workThatReturnsAfterItsDeadlineHasCompletedItsJob() throws Exception {
    Handler ignores =
        Handler.transactional(
                (run, connection) -> {
                  try {
                    new CountDownLatch(1).await();
                  } catch (InterruptedException e) {
                    JobDatabase.handle(run, connection);
                  }
                })
            .withDeadline(Duration.ofMillis(50));
    try (Workers workers = workersOf(ignores)) {
      jobs.enqueue(TestJobs.job("1"));
      events.await(JobEvent.Completed.class, 1);
    }
    assertThat(DATABASE.handled()).containsExactly("1");
  }

  @Test
  void discardsAllLettersOfAQueue() {
    DeadLetterFixture letters = new DeadLetterFixture(DATABASE, jobs);
    letters.deadLetter("acme", "mail", "1");
    letters.deadLetter("acme", "mail", "2");
    letters.deadLetter("acme", "search", "3");

    assertThat(jobs.deadLetters().discardAll(LetterQuery.of("acme").inQueue("mail"), "ann"))
        .hasSize(2);
    assertThat(jobs.deadLetters().list(LetterQuery.of("acme"))).hasSize(1);
  }

  private Workers workersOf(Handler handler) {
    return Workers.over(jobs)
        .handle("mail", "welcome", handler)
        .pollInterval(Duration.ofMillis(20))
        .start();
  }
}
