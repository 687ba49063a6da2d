package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Workers that are not notified find jobs by polling. */
class WithoutNotifyTest {
  private static final JobDatabase DATABASE = new JobDatabase("without_notify");

  private final JobStatements desk = new JobStatements(DATABASE);
  private final List<String> calls = new CopyOnWriteArrayList<>();

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @Test
  void jobsOfAnotherProcessAreFoundRetriedAndRunInOrder() {
    try (Jobs here = Jobs.builder(DATABASE.dataSource()).withoutNotify().build();
        Jobs elsewhere = Jobs.builder(DATABASE.dataSource()).withoutNotify().build();
        Workers workers = start(here)) {
      elsewhere.enqueue(jobOf("1"));
      elsewhere.enqueue(jobOf("2").withDelay(Duration.ofMillis(100)));
      elsewhere.enqueue(jobOf("3"));

      assertThat(workers).isNotNull();
      Polling.until(desk::states, List::isEmpty);
    }

    assertThat(calls).containsExactly("1", "1", "2", "2", "3", "3");
  }

  @Test
  void hasNoListener() {
    try (Jobs jobs = Jobs.builder(DATABASE.dataSource()).withoutNotify().build();
        Workers workers = start(jobs)) {
      jobs.enqueue(jobOf("4"));

      assertThat(workers).isNotNull();
      Polling.until(desk::states, List::isEmpty);
      assertThat(
              DATABASE.query(
                  "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%' OR query LIKE"
                      + " '%pg_notify(%' AND pid <> pg_backend_pid()"))
          .isEmpty();
    }
  }

  private Workers start(Jobs jobs) {
    RetryPolicy soon = RetryPolicy.DEFAULT.withDelays(Duration.ofMillis(20), Duration.ofMillis(20));
    return Workers.over(jobs)
        .withoutListen()
        .pollInterval(Duration.ofMillis(50))
        .handle(
            "mail",
            "welcome",
            Handler.transactional((run, connection) -> failAtFirst(run)).withRetries(soon))
        .start();
  }

  private void failAtFirst(JobRun run) {
    calls.add(run.key().resource());
    if (run.attempt() == 1) {
      throw new IllegalStateException("once more");
    }
  }

  private static Job jobOf(String resource) {
    return Job.of(new JobKey("acme", "mail", "welcome", resource)).withAggregate("user-42");
  }
}
