package dev.once.jobs;

import dev.once.jobs.Deadlines.Deadline;
import dev.once.jobs.Handler.LeasedWork;
import java.time.Duration;
import java.util.Optional;

/** Runs handlers under the lease of their job alone. */
record FencedJobExecutor(WorkerContext context, JobExecutor.Failed failed) {
  void run(JobLease jobLease, Handler.Fenced handler) {
    long started = System.nanoTime();
    try {
      byte[] payload = context.open(jobLease.job());
      call(context, handler.work(), handler.deadline(), jobLease, payload);
    } catch (JobLostException e) {
      context.settlements().lost(jobLease);
      return;
    } catch (Throwable e) {
      failed.accept(jobLease, handler.retries(), e);
      return;
    }
    Duration took = Duration.ofNanos(System.nanoTime() - started);
    context.settlements().add(new Settlement.Done(jobLease, took));
  }

  /**
   * Starts the work, unless the lease is lost: a later owner may have run with a higher fence
   * already, and fences have to increase from run to run.
   */
  @SuppressWarnings("try") // The deadline ends with the work.
  static void call(
      WorkerContext context,
      LeasedWork work,
      Optional<Duration> time,
      JobLease jobLease,
      byte[] payload)
      throws Exception {
    if (jobLease.isLost() || jobLease.isOver()) {
      throw new JobLostException();
    }
    jobLease.unsettle(); // The previous settlement may have been rolled back.
    jobLease.begin();
    try (Deadline deadline = context.deadlines().start(jobLease, time)) {
      try {
        work.run(new JobRun(jobLease, payload));
      } finally {
        jobLease.end(); // Before the deadline is closed, which clears its interrupt.
      }
    }
  }
}
