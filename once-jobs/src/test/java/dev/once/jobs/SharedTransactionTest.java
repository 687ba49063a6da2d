package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs whose shared transaction failed run alone, like any other. */
class SharedTransactionTest {
  private static final JobDatabase DATABASE = new JobDatabase("shared_try");

  private final Jobs jobs = Jobs.over(DATABASE.dataSource());
  private final JobStatements desk = new JobStatements(DATABASE);
  private final CountDownLatch interrupted = new CountDownLatch(1);
  private volatile boolean isShared = true;

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @BeforeEach
  void twoJobs() {
    desk.empty();
    jobs.enqueueAll(List.of(jobOf("first"), jobOf("second")));
  }

  @Test
  void oneThatIsLostIsInterruptedAfterAll() throws InterruptedException {
    try (Workers workers =
        Workers.over(jobs)
            .pollInterval(Duration.ofMillis(50))
            .queue(Queue.named("mail").withSlots(2).withLease(Duration.ofSeconds(1)))
            .handle(
                "mail", "welcome", Handler.transactional((run, it) -> handle(run)).withBatchSize(2))
            .start()) {
      assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(workers).isNotNull();
    }
  }

  /** Shared: the lease of the second job is lost at the end. Alone: that of the first is lost. */
  private void handle(JobRun run) throws InterruptedException {
    if (run.key().resource().equals("second") && isShared) {
      isShared = false;
      takeAway("second");
    } else if (!isShared) {
      takeAway("first");
      try {
        new CountDownLatch(1).await(20, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        interrupted.countDown();
      }
    }
  }

  private static void takeAway(String resource) {
    DATABASE.execute(
        "UPDATE once_job SET fence = fence + 1 WHERE key = 'welcome:" + resource + "'");
  }

  private static Job jobOf(String resource) {
    return Job.of(new JobKey("acme", "mail", "welcome", resource));
  }
}
