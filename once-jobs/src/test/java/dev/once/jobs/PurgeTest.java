package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PurgeTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("purge");
  private static final Duration RETENTION = Duration.ofHours(24);

  private final Jobs jobs = DATABASE.jobs();
  private final JobStatements statements = new JobStatements(DATABASE);

  @Test
  void truncatesTheNextPartWhenAllItsKeysAreOld() {
    finishedAgo(Duration.ofHours(36), 1, 3);

    assertThat(statements.purge(RETENTION)).isEqualTo(3);
    assertThat(DATABASE.query("SELECT key FROM once_job_done")).isEmpty();
  }

  @Test
  void keepsAPartThatHasAnythingNew() {
    finishedAgo(Duration.ofHours(36), 1, 3);
    finishedAgo(Duration.ofHours(23), 1, 1);

    assertThat(statements.purge(RETENTION)).isZero();
    assertThat(DATABASE.query("SELECT key FROM once_job_done")).hasSize(4);
  }

  @Test
  void keepsThePartThatIsWrittenNow() {
    finishedAgo(Duration.ofHours(36), 0, 3);

    assertThat(statements.purge(RETENTION)).isZero();
  }

  @Test
  void keepsTheKeysOfAProcessWithALongerRetention() {
    finishedAgo(Duration.ofHours(12), 0, 3);
    DATABASE.execute("UPDATE once_job_done SET part = (once_job_part('1 minute') + 1) % 4");

    assertThat(statements.purge(Duration.ofMinutes(1))).isZero();
    DATABASE.elapse(Duration.ofHours(12));
    DATABASE.execute("UPDATE once_job_done SET part = (once_job_part('1 minute') + 1) % 4");
    assertThat(statements.purge(Duration.ofMinutes(1))).isEqualTo(3);
  }

  @Test
  void aForgottenKeyIsNewAgain() {
    finishedAgo(Duration.ofHours(36), 1, 1);
    JobKey key = new JobKey("acme", "mail", "welcome", "0");
    assertThat(jobs.enqueue(Job.of(key)).created()).isFalse();

    statements.purge(RETENTION);

    assertThat(jobs.enqueue(Job.of(key)).created()).isTrue();
  }

  @Test
  void doesNotWaitForATransactionThatStaysOpen() throws SQLException {
    finishedAgo(Duration.ofHours(36), 1, 3);
    try (Connection open = DATABASE.begin(Connection.TRANSACTION_READ_COMMITTED)) {
      jobs.enqueue(open, TestJobs.job("new"));

      assertThat(statements.purge(RETENTION)).isZero();
      open.commit();
    }
    assertThat(statements.purge(RETENTION)).isEqualTo(3);
  }

  @Test
  void discardsDeadLettersThatAreTooOldAndForgetsOldChangesOfOperators() {
    DeadLetterFixture letters = new DeadLetterFixture(DATABASE, jobs);
    letters.deadLetter("acme", "mail", "old");
    letters.deadLetter("globex", "mail", "old");
    DATABASE.execute("UPDATE once_job SET died_at = died_at - interval '8 days'");
    letters.deadLetter("acme", "mail", "new");
    Duration week = Duration.ofDays(7);

    statements.purgeOld(new Retentions(RETENTION, RETENTION, Optional.empty(), week));
    assertThat(jobs.deadLetters().list(LetterQuery.of("acme"))).hasSize(2);

    statements.purgeOld(new Retentions(RETENTION, RETENTION, Optional.of(week), week));
    assertThat(jobs.deadLetters().list(LetterQuery.of("acme")))
        .extracting(it -> it.key().resource())
        .containsExactly("new");
    assertThat(jobs.deadLetters().list(LetterQuery.of("globex"))).isEmpty();
    assertThat(jobs.deadLetters().audit("globex", 0, 10))
        .extracting(LetterAudit::actor)
        .containsExactly("retention");

    DATABASE.execute("UPDATE once_job_audit SET at = at - interval '8 days'");
    statements.purgeOld(new Retentions(RETENTION, RETENTION, Optional.of(week), week));
    assertThat(jobs.deadLetters().audit("globex", 0, 10)).isEmpty();
  }

  /** Adds finished jobs to the part that is written {@code offset} parts after the current one. */
  private void finishedAgo(Duration age, int offset, int count) {
    DATABASE.execute(
        """
        INSERT INTO once_job_done (part, tenant, queue, key, fingerprint, job, attempt, discarded,
          correlation, finished_at, keep_until)
        SELECT (once_job_part('%d seconds') + %d) %% 4, 'acme', 'mail', 'welcome:' || i - 1,
          '%s', i, 1, false, '', finished.at, finished.at + interval '%d seconds'
        FROM generate_series(1, %d) i,
          (SELECT clock_timestamp() - interval '%d seconds') AS finished (at)
        """
            .formatted(
                RETENTION.toSeconds(),
                offset,
                TestJobs.job("0").fingerprint(),
                RETENTION.toSeconds(),
                count,
                age.toSeconds()));
  }
}
