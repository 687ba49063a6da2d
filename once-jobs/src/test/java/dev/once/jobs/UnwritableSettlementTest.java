package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** A settlement that cannot be written does not block the others. */
class UnwritableSettlementTest {
  private static final JobDatabase DATABASE = new JobDatabase("unwritable");
  private static final RetryPolicy SOON =
      RetryPolicy.DEFAULT.withDelays(Duration.ofMillis(10), Duration.ofMillis(10));

  private final JobStatements desk = new JobStatements(DATABASE);

  @AfterAll
  static void close() {
    DATABASE.close();
  }

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
      jobs.enqueueAll(
          IntStream.range(0, 20)
              .mapToObj(i -> Job.of(new JobKey("acme", "notes", "note", Integer.toString(i))))
              .toList());

      assertThat(workers).isNotNull();
      Polling.until(desk::states, List::isEmpty);
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
        .queue(Queue.named("notes").withLease(Duration.ofSeconds(1)))
        .handle(
            "notes",
            "note",
            Handler.transactional((run, connection) -> failAtFirst(run)).withRetries(SOON))
        .start();
  }

  private static void failAtFirst(JobRun run) {
    if (run.attempt() == 1) {
      throw new IllegalStateException(run.key().resource().equals("7") ? "Ω" : "plain");
    }
  }
}
