package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Workers that are not notified find jobs by polling. */
@SuppressWarnings("try") // Workers work until they are closed.
class WithoutNotifyTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("without_notify");

  private final JobStatements statements = new JobStatements(DATABASE);
  private final List<String> calls = new CopyOnWriteArrayList<>();

  @Test
  void jobsOfAnotherProcessAreFoundRetriedAndRunInOrder() {
    try (Jobs here = Jobs.builder(DATABASE.dataSource()).withoutNotify().build();
        Jobs elsewhere = Jobs.builder(DATABASE.dataSource()).withoutNotify().build();
        Workers workers = start(here)) {
      elsewhere.enqueue(jobOf("1"));
      elsewhere.enqueue(jobOf("2").withDelay(Duration.ofMillis(100)));
      elsewhere.enqueue(jobOf("3"));

      statements.awaitAllDone();
    }

    assertThat(calls).containsExactly("1", "1", "2", "2", "3", "3");
  }

  @Test
  void hasNoListener() {
    try (Jobs jobs = Jobs.builder(DATABASE.dataSource()).withoutNotify().build();
        Workers workers = start(jobs)) {
      jobs.enqueue(jobOf("4"));

      statements.awaitAllDone();
      assertThat(
              DATABASE.query(
                  "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%' OR query LIKE"
                      + " '%pg_notify(%' AND pid <> pg_backend_pid()"))
          .isEmpty();
    }
  }

  private Workers start(Jobs jobs) {
    return Workers.over(jobs)
        .withoutListen()
        .pollInterval(Duration.ofMillis(50))
        .handle(
            "mail",
            "welcome",
            Handler.transactional((run, connection) -> failAtFirst(run)).withRetries(TestJobs.SOON))
        .start();
  }

  private void failAtFirst(JobRun run) {
    calls.add(run.key().resource());
    if (run.attempt() == 1) {
      throw new IllegalStateException("once more");
    }
  }

  private static Job jobOf(String resource) {
    return TestJobs.job(resource).withAggregate("user-42");
  }
}
