package dev.once.jobs;

import dev.once.jdbc.internal.DedicatedConnection;
import dev.once.jdbc.internal.Threads;
import dev.once.jobs.RenewStatement.RenewResult;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * Renews the leases of claimed jobs, on a thread and a connection of its own. Another thread
 * watches the time and never uses the database, so that it detects an expired lease even while a
 * renewal hangs.
 */
final class Heartbeat implements AutoCloseable {
  /**
   * A lease is renewed when less than two thirds of it are left, which is checked every eighth of
   * it.
   */
  private static final double RENEWED_BELOW = 2 / 3.0;

  private static final int RENEWAL_CHECKS_PER_LEASE = 8;
  private static final int EXPIRY_CHECKS_PER_LEASE = 20;
  private static final int MAX_BATCH_SIZE = 1000;

  /** How long a claimed job may wait for a slot here before it is returned to its queue. */
  private static final Duration MAX_SLOT_WAIT = Duration.ofSeconds(1);

  private final List<QueueRunner> runners;
  private final Duration shortestLease;
  private final JobListener listener;
  private final DedicatedConnection connection;
  private final ScheduledThreadPoolExecutor threads;

  Heartbeat(List<QueueRunner> runners, DataSource dataSource, JobListener listener) {
    this.runners = runners;
    this.shortestLease =
        runners.stream().map(it -> it.queue().lease()).min(Duration::compareTo).orElseThrow();
    this.listener = listener;
    this.connection = new DedicatedConnection(dataSource, shortestLease.dividedBy(4));
    this.threads = Threads.scheduled(2, "once-jobs-heartbeat");
  }

  void start() {
    reserveConnection();
    every(shortestLease.dividedBy(EXPIRY_CHECKS_PER_LEASE), this::watch);
    every(shortestLease.dividedBy(RENEWAL_CHECKS_PER_LEASE), this::renew);
  }

  @Override
  public void close() {
    threads.shutdownNow();
    try {
      // A renewal that is under way would open the connection again.
      threads.awaitTermination(shortestLease.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    connection.close();
  }

  private void reserveConnection() {
    try {
      connection.open();
    } catch (SQLException | RuntimeException e) {
      listener.on(new JobEvent.Trouble("opening the heartbeat's connection", e));
    }
  }

  private void every(Duration time, Consumer<QueueRunner> task) {
    var unused =
        threads.scheduleWithFixedDelay(
            () -> runners.forEach(runner -> guard(task, runner)),
            time.toNanos(),
            time.toNanos(),
            TimeUnit.NANOSECONDS);
  }

  /** A scheduled task that throws is never called again, and leases would no longer be renewed. */
  private void guard(Consumer<QueueRunner> task, QueueRunner runner) {
    try {
      task.accept(runner);
    } catch (Throwable e) {
      SupervisedThread.report(listener, "maintaining the leases of jobs", e);
    }
  }

  private void watch(QueueRunner runner) {
    for (JobLease jobLease : runner.leases()) {
      if (jobLease.isOver() && jobLease.lose()) {
        reportLost(jobLease);
      }
    }
    Duration maxWait = runner.queue().lease().dividedBy(4);
    runner.putBackOlderThan(maxWait.compareTo(MAX_SLOT_WAIT) < 0 ? maxWait : MAX_SLOT_WAIT);
  }

  private void renew(QueueRunner runner) {
    Duration lease = runner.queue().lease();
    Duration low = Duration.ofNanos((long) (lease.toNanos() * RENEWED_BELOW));
    List<JobLease> due =
        runner.leases().stream().filter(it -> it.endsWithin(low) && !it.isLost()).toList();
    for (int from = 0; from < due.size(); from += MAX_BATCH_SIZE) {
      renew(due.subList(from, Math.min(due.size(), from + MAX_BATCH_SIZE)), lease);
    }
  }

  private void renew(List<JobLease> leases, Duration lease) {
    long sent = System.nanoTime();
    List<ClaimedJob> jobs = leases.stream().map(JobLease::job).toList();
    RenewResult answer;
    try {
      answer = connection.run(it -> RenewStatement.execute(it, jobs, lease));
    } catch (SQLException | RuntimeException e) {
      listener.on(new JobEvent.Trouble("renewing the leases of jobs", e));
      return; // The next check tries again, until the lease expires.
    }
    for (JobLease jobLease : leases) {
      long id = jobLease.job().id();
      if (answer.renewed().contains(id)) {
        jobLease.renewed(sent);
      } else if (!answer.held().contains(id) && jobLease.lose()) {
        reportLost(jobLease);
      }
    }
  }

  private void reportLost(JobLease jobLease) {
    ClaimedJob job = jobLease.job();
    listener.on(new JobEvent.LeaseLost(job.key(), job.id(), job.fence()));
  }
}
