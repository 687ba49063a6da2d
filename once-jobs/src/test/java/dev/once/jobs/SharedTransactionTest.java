package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jobs whose shared transaction failed run alone, like any other. */
@SuppressWarnings("try") // Workers work until they are closed.
class SharedTransactionTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("shared_try");

  private final Jobs jobs = DATABASE.jobs();
  private final CountDownLatch interrupted = new CountDownLatch(1);
  private volatile boolean isShared = true;

  @BeforeEach
  void twoJobs() {
    jobs.enqueueAll(List.of(TestJobs.job("first"), TestJobs.job("second")));
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
}
