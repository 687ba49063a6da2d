package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A worker holds the lease of a job as long as it lives, however long the job takes. */
class HeartbeatTest {
  private static final JobDatabase DATABASE = new JobDatabase("heartbeat");
  private static final Duration LEASE = Duration.ofSeconds(1);
  private static final Duration SEVERAL_LEASES = LEASE.multipliedBy(3);

  private final JobStatements desk = new JobStatements(DATABASE);
  private final AtomicInteger calls = new AtomicInteger();
  private final CountDownLatch interrupted = new CountDownLatch(1);

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @BeforeEach
  void empty() {
    desk.empty();
  }

  @Test
  void aHandlerThatOutlivesSeveralLeasesIsNotRunTwice() {
    try (Jobs jobs = Jobs.over(DATABASE.dataSource());
        Workers here = start(jobs, 1);
        Workers there = start(jobs, 1)) {
      enqueue(jobs, 1);

      awaitAllDone(here, there);
    }

    assertThat(calls).hasValue(1);
  }

  @Test
  void leasesAreRenewedWhileHandlersHoldEveryConnectionOfThePool() {
    try (HikariDataSource small = JobDatabase.poolOf(DATABASE.direct(), 4);
        Jobs jobs = Jobs.over(small);
        Jobs others = Jobs.over(DATABASE.dataSource());
        Workers here = start(jobs, 6)) {
      enqueue(others, 6);
      HikariPoolMXBean pool = small.getHikariPoolMXBean();
      Polling.until(pool::getThreadsAwaitingConnection, waiting -> waiting > 1);
      Polling.until(desk::states, states -> states.stream().allMatch(it -> it.endsWith("running")));

      try (Workers there = start(others, 6)) {
        awaitAllDone(here, there);
      }
    }

    assertThat(calls).hasValue(6);
  }

  @Test
  void aHandlerThatLostItsJobIsInterrupted() throws InterruptedException {
    try (Jobs jobs = Jobs.over(DATABASE.dataSource());
        Workers here = start(jobs, 1)) {
      enqueue(jobs, 1);
      Polling.until(calls::get, it -> it == 1);

      DATABASE.execute("UPDATE once_job SET fence = fence + 1");

      assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(here).isNotNull();
    }
    assertThat(desk.states()).containsExactly("note:0 running");
  }

  private static void enqueue(Jobs jobs, int count) {
    jobs.enqueueAll(
        IntStream.range(0, count)
            .mapToObj(i -> Job.of(new JobKey("acme", "notes", "note", Integer.toString(i))))
            .toList());
  }

  private Workers start(Jobs jobs, int slots) {
    return Workers.over(jobs)
        .pollInterval(Duration.ofMillis(50))
        .withoutListen()
        .queue(Queue.named("notes").withSlots(slots).withLease(LEASE))
        .handle("notes", "note", Handler.transactional((run, connection) -> takeTime(run)))
        .start();
  }

  private void takeTime(JobRun run) throws InterruptedException {
    calls.incrementAndGet();
    try {
      desk.awaitRenewedBy(SEVERAL_LEASES, run);
    } catch (InterruptedException e) {
      interrupted.countDown();
      throw e;
    }
  }

  private void awaitAllDone(Workers here, Workers there) {
    assertThat(List.of(here, there)).doesNotContainNull();
    Polling.until(desk::states, List::isEmpty);
  }
}
