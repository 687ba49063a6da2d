package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A settlement that cannot be written does not block the others. */
@SuppressWarnings("try") // Workers work until they are closed.
class UnwritableSettlementTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("unwritable");

  private final JobStatements statements = new JobStatements(DATABASE);

  @Test
  void aReasonThatTheDatabaseRefusesCostsATry() {
    DATABASE.execute(
        """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          RAISE EXCEPTION 'no such letter' USING ERRCODE = 'untranslatable_character';
        END $$;
        CREATE TRIGGER refuse BEFORE UPDATE ON once_job FOR EACH ROW
        WHEN (NEW.reason LIKE '%Ω%') EXECUTE FUNCTION refuse()
        """);
    try (Jobs jobs = Jobs.over(DATABASE.dataSource());
        Workers workers = start(jobs)) {
      jobs.enqueueAll(TestJobs.jobs(20));

      statements.awaitAllDone();
    }

    assertThat(DATABASE.query("SELECT DISTINCT attempt FROM once_job_done")).containsExactly("2");
  }

  @Test
  void aDelayThatNoDatabaseKnowsIsRefusedAtOnce() {
    Duration tooLong = Duration.ofDays(1_000_000);

    assertThatThrownBy(() -> new JobException.Retry("later", tooLong))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new JobException.Snooze("later", tooLong))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Workers start(Jobs jobs) {
    return Workers.over(jobs)
        .pollInterval(Duration.ofMillis(50))
        .queue(Queue.named("mail").withLease(Duration.ofSeconds(1)))
        .handle(
            "mail",
            "welcome",
            Handler.transactional((run, connection) -> failAtFirst(run)).withRetries(TestJobs.SOON))
        .start();
  }

  private static void failAtFirst(JobRun run) {
    if (run.attempt() == 1) {
      throw new IllegalStateException(run.key().resource().equals("7") ? "Ω" : "plain");
    }
  }
}
