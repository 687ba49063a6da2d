package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A row that cannot be read does not stop its neighbours. */
@SuppressWarnings("try") // Workers work until they are closed.
class UnreadableJobTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("unreadable");

  private final RecordedJobEvents events = new RecordedJobEvents();
  private final Jobs jobs = Jobs.builder(DATABASE.dataSource()).listener(events).build();
  private final JobStatements statements = new JobStatements(DATABASE);

  @AfterEach
  void close() {
    jobs.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "correlation = 'no header'",
        "fingerprint = 'no algorithm'",
        "attempt = -7",
        "attempt = 2147483647",
        "key = 'short'",
        "key = 'welcome:' || repeat('x', 300)",
        "tenant = 'ac' || repeat('m', 200) || 'e'",
        "payload = decode(repeat('00', 3000000), 'hex')"
      })
  void theOthersRunAndItIsSetAside(String damage) {
    long bad = enqueueWithOneDamaged(damage);

    try (Workers workers = start()) {
      Polling.until(DATABASE::handled, it -> it.size() == 4);
      events.await(JobEvent.Trouble.class, 1);
    }

    assertThat(DATABASE.handled()).containsExactlyInAnyOrder("0", "1", "3", "4");
    assertThat(DATABASE.query("SELECT id || ' ' || state || ' ' || left(reason, 29) FROM once_job"))
        .containsExactly(bad + " waiting its row cannot be read by thi");
    assertThat(events.all(JobEvent.Trouble.class))
        .singleElement()
        .satisfies(it -> assertThat(it.what()).startsWith("reading job " + bad + " of mail"));
  }

  @Test
  void itWaitsLongerTheOlderItIs() {
    enqueueWithOneDamaged("enqueued_at = enqueued_at - interval '1 hour', correlation = 'none'");

    try (Workers workers = start()) {
      events.await(JobEvent.Trouble.class, 1);
    }

    assertThat(
            DATABASE.query(
                "SELECT run_at > clock_timestamp() + interval '59 minutes' FROM once_job"))
        .containsExactly("t");
  }

  @Test
  void afterADayItIsADeadLetterThatCanBeSeenAndDiscarded() {
    long bad =
        enqueueWithOneDamaged("enqueued_at = enqueued_at - interval '1 day', correlation = 'none'");

    try (Workers workers = start()) {
      events.await(JobEvent.Trouble.class, 1);
    }

    List<DeadLetter> letters = jobs.deadLetters().list(LetterQuery.of("acme"));
    assertThat(letters).extracting(DeadLetter::id).containsExactly(bad);
    assertThat(letters.get(0).reason()).startsWith("its row cannot be read");
    assertThat(jobs.deadLetters().discard("acme", List.of(bad), "alice")).containsExactly(bad);
  }

  @Test
  void aFullClaimOfUnreadableRowsDoesNotWaitForThePoll() {
    jobs.enqueueAll(TestJobs.jobs(40));
    DATABASE.execute("UPDATE once_job SET correlation = 'none' WHERE key < 'welcome:4'");

    try (Workers workers = start()) {
      Polling.until(DATABASE::handled, it -> it.size() == 6);
    }

    assertThat(events.all(JobEvent.Trouble.class)).hasSize(34);
  }

  @Test
  void aListOfJobsLeavesItOutAndGoesOnBehindIt() {
    jobs.enqueueAll(TestJobs.jobs(6));
    DATABASE.execute("UPDATE once_job SET state = 'resting' WHERE key IN ('welcome:1')");
    DATABASE.execute("UPDATE once_job SET type = 'other' WHERE key IN ('welcome:2')");
    DATABASE.execute("UPDATE once_job SET type = 'much-longer' WHERE key IN ('welcome:3')");

    JobPage first = jobs.admin().list(JobQuery.of("acme").withLimit(3));
    assertThat(first.jobs()).extracting(it -> it.key().resource()).containsExactly("0");
    JobPage second =
        jobs.admin().list(JobQuery.of("acme").withLimit(4).after(first.next().orElseThrow()));

    assertThat(second.jobs()).extracting(it -> it.key().resource()).containsExactly("4", "5");
    assertThat(events.all(JobEvent.Trouble.class)).isNotEmpty();
  }

  @Test
  void aListThatBeginsWithUnreadableRowsGoesOnBehindThem() {
    jobs.enqueueAll(TestJobs.jobs(6));
    DATABASE.execute("UPDATE once_job SET type = 'much-longer' WHERE key < 'welcome:5'");

    JobPage page = jobs.admin().list(JobQuery.of("acme").withLimit(2));

    assertThat(page.jobs()).extracting(it -> it.key().resource()).containsExactly("5");
  }

  @Test
  void aListOfDeadLettersLeavesItOutAndIsFull() throws SQLException {
    jobs.enqueueAll(TestJobs.jobs(4));
    statements.claim(Queue.named("mail"), 4).forEach(statements::deadLetter);
    DATABASE.execute("UPDATE once_job SET fingerprint = 'none' WHERE key = 'welcome:0'");
    DATABASE.execute("UPDATE once_job SET died_at = NULL WHERE key = 'welcome:1'");

    List<DeadLetter> letters = jobs.deadLetters().list(LetterQuery.of("acme").withLimit(2));

    assertThat(letters).extracting(it -> it.key().resource()).containsExactly("2", "3");
    assertThat(events.all(JobEvent.Trouble.class)).hasSize(2);
  }

  @Test
  void theAuditTrailLeavesOutActionsThatItDoesNotKnow() {
    List<EnqueueResult> added = jobs.enqueueAll(TestJobs.jobs(3));
    for (EnqueueResult it : added) {
      jobs.admin().cancel("acme", Set.of(it.id()), "alice");
    }
    DATABASE.execute("UPDATE once_job_audit SET action = 'adopt' WHERE key = 'welcome:0'");

    assertThat(jobs.deadLetters().audit("acme", 0, 2))
        .extracting(it -> it.key().resource())
        .containsExactly("1", "2");
  }

  /** Damages the third of five jobs, and returns its id. */
  private long enqueueWithOneDamaged(String damage) {
    long bad = jobs.enqueueAll(TestJobs.jobs(5)).get(2).id();
    DATABASE.execute("UPDATE once_job SET " + damage + " WHERE id = " + bad);
    return bad;
  }

  private Workers start() {
    return Workers.over(jobs)
        .pollInterval(Duration.ofMinutes(10))
        .handle("mail", "welcome", Handler.transactional(JobDatabase::handle))
        .start();
  }
}
