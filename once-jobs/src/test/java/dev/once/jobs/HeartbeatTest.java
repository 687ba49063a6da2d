package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A worker holds the lease of a job as long as it lives, however long the job takes. */
@SuppressWarnings("try") // Workers work until they are closed.
class HeartbeatTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("heartbeat");
  private static final Duration LEASE = Duration.ofSeconds(1);
  private static final Duration SEVERAL_LEASES = LEASE.multipliedBy(3);

  private final JobStatements statements = new JobStatements(DATABASE);
  private final AtomicInteger calls = new AtomicInteger();
  private final CountDownLatch interrupted = new CountDownLatch(1);

  @Test
  void aHandlerThatOutlivesSeveralLeasesIsNotRunTwice() {
    try (Jobs jobs = Jobs.over(DATABASE.dataSource());
        Workers here = start(jobs, 1);
        Workers there = start(jobs, 1)) {
      jobs.enqueueAll(TestJobs.jobs(1));

      statements.awaitAllDone();
    }

    assertThat(calls).hasValue(1);
  }

  @Test
  void leasesAreRenewedWhileHandlersHoldEveryConnectionOfThePool() {
    try (HikariDataSource small = JobDatabase.poolOf(DATABASE.direct(), 4);
        Jobs jobs = Jobs.over(small);
        Jobs others = Jobs.over(DATABASE.dataSource());
        Workers here = start(jobs, 6)) {
      others.enqueueAll(TestJobs.jobs(6));
      HikariPoolMXBean pool = small.getHikariPoolMXBean();
      Polling.until(pool::getThreadsAwaitingConnection, waiting -> waiting > 1);
      Polling.until(
          statements::states, states -> states.stream().allMatch(it -> it.endsWith("running")));

      try (Workers there = start(others, 6)) {
        statements.awaitAllDone();
      }
    }

    assertThat(calls).hasValue(6);
  }

  @Test
  void aHandlerThatLostItsJobIsInterrupted() throws InterruptedException {
    try (Jobs jobs = Jobs.over(DATABASE.dataSource());
        Workers here = start(jobs, 1)) {
      jobs.enqueueAll(TestJobs.jobs(1));
      Polling.until(calls::get, it -> it == 1);

      DATABASE.execute("UPDATE once_job SET fence = fence + 1");

      assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(statements.states()).containsExactly("welcome:0 running");
  }

  private Workers start(Jobs jobs, int slots) {
    return Workers.over(jobs)
        .pollInterval(Duration.ofMillis(50))
        .withoutListen()
        .queue(Queue.named("mail").withSlots(slots).withLease(LEASE))
        .handle("mail", "welcome", Handler.transactional((run, connection) -> takeTime(run)))
        .start();
  }

  private void takeTime(JobRun run) throws InterruptedException {
    calls.incrementAndGet();
    try {
      statements.awaitRenewedBy(SEVERAL_LEASES, run);
    } catch (InterruptedException e) {
      interrupted.countDown();
      throw e;
    }
  }
}
