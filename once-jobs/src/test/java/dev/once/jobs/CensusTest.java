package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Counts of jobs per queue and state. */
@Tag("any-jdk")
class CensusTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("census");
  private static final Jobs JOBS = DATABASE.jobs();
  private static final DeadLetterFixture GRAVEYARD = new DeadLetterFixture(DATABASE, JOBS);

  @Test
  void countsEveryStateOfEveryQueue() {
    enqueue("acme", "mail", "1");
    enqueue("other", "mail", "1");
    JOBS.enqueue(DeadLetterFixture.job("acme", "mail", "2").withDelay(Duration.ofHours(1)));
    GRAVEYARD.deadLetter(DeadLetterFixture.job("acme", "mail", "3").withAggregate("order"));
    JOBS.enqueue(DeadLetterFixture.job("acme", "mail", "4").withAggregate("order"));
    enqueue("acme", "search", "1");
    DATABASE.execute("UPDATE once_job SET state = 'running' WHERE queue = 'search'");

    JobCensus census = JOBS.census();

    JobCensus.QueueCounts mail = census.queue("mail");
    assertThat(mail)
        .isEqualTo(new JobCensus.QueueCounts("mail", 2, 1, 1, 0, 1, mail.oldestReady()));
    assertThat(census.queue("search"))
        .isEqualTo(new JobCensus.QueueCounts("search", 0, 0, 0, 1, 0, Optional.empty()));
    assertThat(census.queues()).hasSize(2);
    assertThat(census.cut()).isEmpty();
  }

  @Test
  void hasZeroOfEachForAQueueWithoutJobs() {
    assertThat(JOBS.census().queue("mail"))
        .isEqualTo(new JobCensus.QueueCounts("mail", 0, 0, 0, 0, 0, Optional.empty()));
  }

  @Test
  void reportsHowLongTheOldestReadyJobHasBeenDue() {
    enqueue("acme", "mail", "1");
    enqueue("zeta", "mail", "1");
    DATABASE.execute(
        """
        UPDATE once_job SET enqueued_at = enqueued_at - interval '2 hours',
          run_at = run_at - interval '1 hour' WHERE tenant = 'zeta'
        """);

    Duration oldest = JOBS.census().queue("mail").oldestReady().orElseThrow();

    assertThat(oldest).isBetween(Duration.ofMinutes(60), Duration.ofMinutes(61));
  }

  @Test
  void stopsCountingAtItsLimitWithoutHidingOtherQueues() {
    fill("a", JobCensus.MAX_COUNT + 10);
    enqueue("acme", "b", "1");

    JobCensus census = JOBS.census();

    assertThat(census.queue("a").ready()).isEqualTo(JobCensus.MAX_COUNT);
    assertThat(census.queue("b").ready()).isEqualTo(1);
    assertThat(census.cut()).containsExactly(JobState.READY);
  }

  private static void enqueue(String tenant, String queue, String resource) {
    JOBS.enqueue(DeadLetterFixture.job(tenant, queue, resource));
  }

  private static void fill(String queue, int jobs) {
    DATABASE.execute(
        """
        INSERT INTO once_job (tenant, queue, type, key, fingerprint, state, priority, checked,
          run_at, enqueued_at, correlation, payload)
        SELECT 'acme', '%s', 'send', 'send:' || n, 'none:', 'ready', 0, true, clock_timestamp(),
          clock_timestamp(), '', '' FROM generate_series(1, %d) n
        """
            .formatted(queue, jobs));
  }
}
