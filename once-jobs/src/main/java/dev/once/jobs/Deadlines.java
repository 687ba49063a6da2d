package dev.once.jobs;

import dev.once.jdbc.internal.Threads;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Interrupts handlers that take longer than their deadline. */
final class Deadlines implements AutoCloseable {
  private final ScheduledThreadPoolExecutor thread = Threads.scheduled(1, "once-jobs-deadlines");

  Deadlines() {
    thread.setRemoveOnCancelPolicy(true);
  }

  /** Starts a deadline for work that begins now, on this thread; close it when the work ends. */
  Deadline start(JobLease jobLease, Optional<Duration> time) {
    jobLease.startDeadline();
    return new Deadline(
        jobLease,
        time.map(
            it -> thread.schedule(jobLease::exceedDeadline, it.toNanos(), TimeUnit.NANOSECONDS)));
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  /** A deadline that runs. */
  record Deadline(JobLease jobLease, Optional<Future<?>> timer) implements AutoCloseable {
    @Override
    public void close() {
      timer.ifPresent(it -> it.cancel(false));
      if (jobLease.hasExceededDeadline()) {
        boolean unused = Thread.interrupted(); // The interrupt was for the work.
      }
    }
  }
}
