package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.once.Fingerprint;
import dev.once.KeyRing;
import dev.once.Once;
import dev.once.Sealing;
import dev.once.jdbc.JdbcRecordStore;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Payloads that are encrypted in the tables of jobs. */
@SuppressWarnings("try") // Workers work until they are closed.
class SealedJobsTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("sealed-jobs");

  private static final KeyRing FIRST = KeyRing.of("first", secret(1));
  private static final KeyRing SECOND = KeyRing.of("second", secret(2));
  private static final KeyRing BOTH = SECOND.and("first", secret(1));
  private static final String SECRET = "iban DE89 of +27 82 123 4567";

  private final RecordedJobEvents events = new RecordedJobEvents();
  private final List<String> received = new CopyOnWriteArrayList<>();
  private final AtomicReference<KeyRing> ring = new AtomicReference<>(FIRST);
  private final Jobs sealed = jobs(Sealing.with(ring::get));
  private final Jobs plain = jobs(Sealing.NONE);

  @Test
  void leavesNothingOfAPayloadInTheClear() {
    sealed.enqueue(job("a"));
    sealed.enqueueAll(List.of(job("b"), job("c")));
    sealed.schedule(nightly());

    assertThat(rows("once_job")).hasSize(3).noneMatch(it -> it.contains("iban"));
    assertThat(rows("once_job_schedule")).hasSize(1).noneMatch(it -> it.contains("iban"));
    assertThat(DATABASE.query("SELECT DISTINCT sealed_by FROM once_job")).containsExactly("first");
    assertThat(sealed.schedules("acme")).hasSize(1);
  }

  @Test
  void handlersOfBothKindsReceiveWhatWasEnqueued() {
    sealed.enqueueAll(List.of(job("a"), job("b")));
    try (Once once = Once.over(JdbcRecordStore.over(DATABASE.dataSource()));
        Workers workers = workers(sealed, Handler.leased(once, run -> received.add(run.text())))) {
      events.await(JobEvent.Completed.class, 2);
    }
    sealed.enqueueAll(List.of(job("c"), job("d"), job("e")));
    try (Workers workers = workers(sealed, receiving().withBatchSize(10))) {
      events.await(JobEvent.Completed.class, 5);
    }

    assertThat(received).hasSize(5).containsOnly(SECRET);
  }

  @Test
  void anEqualJobJoinsAndAnotherPayloadIsRefused() {
    long id = sealed.enqueue(job("a")).id();

    assertThat(sealed.enqueue(job("a"))).isEqualTo(new EnqueueResult(id, false, JobState.READY));
    assertThat(plain.enqueue(job("a")).created()).isFalse();
    assertThatExceptionOfType(JobMismatchException.class)
        .isThrownBy(() -> sealed.enqueue(job("a").withText("something else")));
  }

  @Test
  void storesKeyedFingerprintsOnly() {
    Jobs keyed =
        Jobs.builder(DATABASE.dataSource())
            .fingerprints(it -> Fingerprint.sha256("a secret", it.toString()))
            .build();
    keyed.enqueue(job("a"));
    keyed.enqueueAll(List.of(job("a"), job("b")));
    keyed.schedule(nightly());

    String guess = Fingerprint.sha256(SECRET).toString();
    assertThat(DATABASE.query("SELECT fingerprint FROM once_job")).hasSize(2).doesNotContain(guess);
    assertThat(DATABASE.query("SELECT fingerprint FROM once_job_schedule")).doesNotContain(guess);
    assertThatExceptionOfType(JobMismatchException.class)
        .isThrownBy(() -> keyed.enqueue(job("a").withText("something else")));
    keyed.close();
  }

  @Test
  void opensWhatWasStoredBeforeSealingAndBeforeARotation() {
    plain.enqueue(job("a"));
    sealed.enqueue(job("b"));
    ring.set(BOTH);
    sealed.enqueue(job("c"));

    try (Workers workers = workers(sealed, receiving())) {
      events.await(JobEvent.Completed.class, 3);
    }

    assertThat(received).hasSize(3).containsOnly(SECRET);
  }

  @Test
  void aProcessWithoutTheKeyReturnsTheJobUncountedAndAnotherRunsIt() {
    sealed.enqueue(job("a"));

    for (Jobs lacking : List.of(plain, jobs(Sealing.with(SECOND)))) {
      int before = events.all(JobEvent.Returned.class).size();
      try (Workers workers = workers(lacking, receiving())) {
        assertThat(events.await(JobEvent.Returned.class, before + 1).get(before).reason())
            .contains("it is sealed with key id first: add that key to the ring")
            .doesNotContain("iban");
      }
      assertThat(DATABASE.query("SELECT state || attempt FROM once_job"))
          .containsExactly("waiting0");
      DATABASE.elapse(Duration.ofMinutes(1));
    }
    assertThat(received).isEmpty();

    try (Workers workers = workers(sealed, receiving())) {
      events.await(JobEvent.Completed.class, 1);
    }
    assertThat(received).containsExactly(SECRET);
  }

  @Test
  void aLeasedJobWithoutItsKeyLeavesNoRecord() {
    sealed.enqueue(job("a"));

    try (Once once = Once.over(JdbcRecordStore.over(DATABASE.dataSource()));
        Workers workers = workers(plain, Handler.leased(once, run -> received.add(run.text())))) {
      events.await(JobEvent.Returned.class, 1);
    }

    assertThat(received).isEmpty();
    assertThat(rows("once_record")).isEmpty();
  }

  @Test
  void aJobWhoseKeyIsMissingForADayIsADeadLetterThatCanBeRetried() {
    long id = sealed.enqueue(job("a")).id();
    DATABASE.elapse(Duration.ofHours(25));

    try (Workers workers = workers(plain, receiving())) {
      events.await(JobEvent.Died.class, 1);
    }
    assertThat(rows("once_job")).noneMatch(it -> it.contains("iban"));
    assertThatExceptionOfType(UnreadablePayloadException.class)
        .isThrownBy(() -> plain.deadLetters().payload("acme", id))
        .matches(it -> it.keyId().orElse("").equals("first") && it.key().equals(job("a").key()));
    assertThat(sealed.deadLetters().payload("acme", id).orElseThrow().toArray())
        .asString()
        .isEqualTo(SECRET);

    assertThat(plain.deadLetters().retry("acme", List.of(id), "ann")).containsExactly(id);
    try (Workers workers = workers(sealed, receiving())) {
      events.await(JobEvent.Completed.class, 1);
    }
    assertThat(received).containsExactly(SECRET);
  }

  @Test
  void sealsWhyAnAttemptFailed() {
    sealed.enqueue(job("a"));
    Handler quotes =
        Handler.transactional(
                (run, connection) -> {
                  throw new IllegalStateException("cannot charge " + run.text());
                })
            .withRetries(TestJobs.SOON.withAttempts(2));

    try (Workers workers = workers(sealed, quotes)) {
      events.await(JobEvent.Failed.class, 1);
      events.await(JobEvent.Died.class, 1);
    }

    assertThat(rows("once_job"))
        .hasSize(1)
        .noneMatch(it -> it.contains("iban") || it.contains("IllegalState"));
    DeadLetter letter = sealed.deadLetters().list(LetterQuery.of("acme")).get(0);
    assertThat(letter.reason()).contains("IllegalStateException: cannot charge iban");
    assertThat(letter.stack().orElse("")).contains("SealedJobsTest");
    assertThat(sealed.find(job("a").key()).orElseThrow().reason()).contains(letter.reason());
    assertThat(plain.deadLetters().find("acme", letter.id()).orElseThrow().reason())
        .contains("its last failure is sealed", "add that key to the ring")
        .doesNotContain("iban");
  }

  @Test
  void aPayloadThatWasMovedToAnotherJobReachesNoHandler() {
    sealed.enqueue(job("a"));
    sealed.enqueue(job("b").withText("other"));
    DATABASE.execute(
        """
        UPDATE once_job b SET payload = a.payload FROM once_job a
        WHERE a.key = 'welcome:a' AND b.key = 'welcome:b'
        """);

    try (Workers workers = workers(sealed, receiving())) {
      events.await(JobEvent.Completed.class, 1);
      assertThat(events.await(JobEvent.Died.class, 1).get(0).reason())
          .contains("key id first does not open it")
          .doesNotContain("iban");
    }

    assertThat(received).containsExactly(SECRET);
  }

  @Test
  void aFiringSealsThePayloadForItsJob() {
    sealed.schedule(nightly());
    String before = rows("once_job_schedule").get(0);
    sealed.schedule(nightly());
    assertThat(rows("once_job_schedule")).as("is unchanged").containsExactly(before);
    DATABASE.execute("UPDATE once_job_schedule SET next_at = clock_timestamp() - interval '1 s'");

    plain.schedules().fire(Duration.ofSeconds(1));
    assertThat(rows("once_job")).as("fired without the key").isEmpty();
    assertThat(events.all(JobEvent.Trouble.class)).hasSize(1);
    sealed.schedules().fire(Duration.ofSeconds(1));

    assertThat(rows("once_job")).hasSize(1).noneMatch(it -> it.contains("iban"));
    try (Workers workers = workers(sealed, receiving())) {
      events.await(JobEvent.Completed.class, 1);
    }
    assertThat(received).containsExactly(SECRET);
  }

  @Test
  void aScheduleThatIsStoredAgainIsSealedWithTheNewKey() {
    plain.schedule(nightly());
    sealed.schedule(nightly());
    assertThat(DATABASE.query("SELECT sealed_by FROM once_job_schedule")).containsExactly("first");
    ring.set(BOTH);
    sealed.schedule(nightly());

    assertThat(DATABASE.query("SELECT sealed_by FROM once_job_schedule")).containsExactly("second");
  }

  private Handler.Transactional receiving() {
    return Handler.transactional((run, connection) -> received.add(run.text()));
  }

  private Jobs jobs(Sealing sealing) {
    return Jobs.builder(DATABASE.dataSource())
        .sealing(sealing)
        .listener(events)
        .withoutNotify()
        .build();
  }

  private static Workers workers(Jobs jobs, Handler handler) {
    return Workers.over(jobs).handle("mail", "welcome", handler).withoutListen().start();
  }

  private static Job job(String resource) {
    return TestJobs.job(resource).withText(SECRET);
  }

  private static Schedule nightly() {
    return Schedule.of("acme", "nightly", "0 2 * * *", ZoneOffset.UTC, "mail", "welcome")
        .withText(SECRET);
  }

  /** Returns whole rows as text, with the bytes of payloads readable. */
  private static List<String> rows(String table) {
    String payload =
        switch (table) {
          case "once_job" -> "encode(t.payload || coalesce(t.failure, ''), 'escape')";
          case "once_job_schedule" -> "encode(t.payload, 'escape')";
          default -> "''";
        };
    return DATABASE.query("SELECT t::text || " + payload + " FROM " + table + " t");
  }

  private static byte[] secret(int value) {
    byte[] key = new byte[KeyRing.KEY_BYTES];
    Arrays.fill(key, (byte) value);
    return key;
  }
}
