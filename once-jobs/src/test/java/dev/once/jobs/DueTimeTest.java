package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Delays and retries do not wait for the next poll, which may be an hour away. */
@SuppressWarnings("try") // Workers work until they are closed.
@Execution(ExecutionMode.CONCURRENT) // It waits for due times.
@ResourceLock("DueTimeTest")
class DueTimeTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("due");

  private final RecordedJobEvents events = new RecordedJobEvents();
  private final Jobs jobs = Jobs.builder(DATABASE.dataSource()).listener(events).build();
  private final Jobs elsewhere = Jobs.over(DATABASE.dataSource());

  @AfterEach
  void close() {
    jobs.close();
    elsewhere.close();
  }

  @Test
  void aRetryStartsWhenItIsDue() throws Exception {
    Handler failsTwice =
        Handler.transactional(
                (run, it) -> {
                  if (run.attempt() < 3) {
                    throw new IllegalStateException("no luck");
                  }
                })
            .withRetries(TestJobs.SOON.withDelays(Duration.ofMillis(100), Duration.ofSeconds(1)));
    try (Workers workers = workersOf(failsTwice)) {
      jobs.enqueue(TestJobs.job("1"));

      assertThat(events.await(JobEvent.Completed.class, 1)).hasSize(1);
    }
  }

  @Test
  void aDelayedJobStartsWhenItIsDue() throws Exception {
    try (Workers workers = workersOf(Handler.transactional((run, it) -> {}))) {
      jobs.enqueue(TestJobs.job("here").withDelay(Duration.ofMillis(300)));
      elsewhere.enqueue(TestJobs.job("there").withDelay(Duration.ofMillis(300)));

      assertThat(events.await(JobEvent.Completed.class, 2)).hasSize(2);
    }
  }

  private Workers workersOf(Handler handler) {
    return Workers.over(jobs)
        .handle("mail", "welcome", handler)
        .pollInterval(Workers.Builder.MAX_POLL_INTERVAL)
        .start();
  }
}
