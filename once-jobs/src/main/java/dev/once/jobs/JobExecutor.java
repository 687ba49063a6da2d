package dev.once.jobs;

import dev.once.NoAnswerException;
import dev.once.Result;
import dev.once.TenantLimitException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Runs claimed jobs, and decides how they are settled. */
final class JobExecutor {
  private static final int MAX_CAUSES = 100;

  /** How long a job waits whose key this process does not have; another process may have it. */
  private static final Duration KEY_WAIT = Duration.ofSeconds(30);

  /**
   * How long after it was enqueued such a job still waits. Then it becomes a dead letter, which an
   * operator can retry or discard.
   */
  private static final Duration MAX_KEY_WAIT = Duration.ofHours(24);

  private final WorkerContext context;
  private final BooleanSupplier isStopping;
  private final TransactionalJobExecutor transactional;
  private final LeasedJobExecutor leased;

  JobExecutor(WorkerContext context, BooleanSupplier isStopping) {
    this.context = context;
    this.isStopping = isStopping;
    this.transactional = new TransactionalJobExecutor(context, this::failed);
    this.leased = new LeasedJobExecutor(context, this::failed);
  }

  /** Receives the attempts that threw. */
  interface Failed {
    void accept(JobLease jobLease, RetryPolicy retries, Throwable thrown);
  }

  void run(List<JobLease> leases, Handler handler) {
    List<JobLease> left = leases.stream().filter(jobLease -> start(jobLease, handler)).toList();
    if (!left.isEmpty()) {
      handler.run(left, transactional, leased);
    }
  }

  private boolean start(JobLease jobLease, Handler handler) {
    ClaimedJob job = jobLease.job();
    if (jobLease.isLost() || jobLease.isOver()) {
      context.settlements().lost(jobLease);
      return false;
    }
    if (job.attempt() > handler.retries().tries()) {
      AttemptFailure failure = AttemptFailure.of("its lease expired in its last attempt");
      context.settlements().add(new Settlement.Dead(jobLease, failure));
      return false;
    }
    context
        .listener()
        .on(
            new JobEvent.Started(
                job.key(), job.id(), job.attempt(), job.fence(), job.age().plus(jobLease.age())));
    return true;
  }

  private void failed(JobLease jobLease, RetryPolicy retries, Throwable thrown) {
    if (jobLease.isLost()) {
      context.settlements().lost(jobLease);
    } else {
      context.settlements().add(settlement(jobLease, retries, thrown));
    }
  }

  private Settlement settlement(JobLease jobLease, RetryPolicy retries, Throwable thrown) {
    AttemptFailure failure = AttemptFailure.of(thrown);
    if (thrown instanceof NoAnswerException it && it.result() instanceof Result.Held<?> held) {
      return uncounted(jobLease, LeasedJobExecutor.waitFor(held.leaseLeft()), failure.reason());
    }
    if (thrown instanceof TenantLimitException it) {
      return uncounted(jobLease, it.retryAfter(), failure.reason());
    }
    if (thrown instanceof UnreadablePayloadException it && it.key().equals(jobLease.job().key())) {
      boolean mayWait =
          it.isKeyMissing() && jobLease.job().sinceEnqueued().compareTo(MAX_KEY_WAIT) < 0;
      return mayWait
          ? uncounted(jobLease, KEY_WAIT, String.valueOf(it.getMessage()))
          : new Settlement.Dead(jobLease, failure);
    }
    // A snoozed job is due when its handler said, even if its worker stops.
    boolean isSnoozed = thrown instanceof JobException.Snooze;
    if (!isSnoozed && isStopping.getAsBoolean() && isInterrupt(thrown)) {
      return uncounted(jobLease, Duration.ZERO, "its worker stops");
    }
    if (thrown instanceof JobException it) {
      return it.fold(
          retry -> failedAttempt(jobLease, retries, failure, retry.delay()),
          giveUp -> new Settlement.Dead(jobLease, failure),
          snooze -> uncounted(jobLease, snooze.delay(), failure.reason()));
    }
    Duration delay = retries.delayAfter(jobLease.job().attempt());
    return failedAttempt(jobLease, retries, failure, delay);
  }

  private static Settlement failedAttempt(
      JobLease jobLease, RetryPolicy retries, AttemptFailure failure, Duration delay) {
    if (jobLease.runner().queue().isPaused().getAsBoolean()) {
      String reason = "its queue is paused: " + failure.reason();
      return uncounted(jobLease, retries.delayAfter(1), reason);
    }
    return jobLease.job().attempt() >= retries.tries()
        ? new Settlement.Dead(jobLease, failure)
        : new Settlement.Reschedule(jobLease, delay, true, failure);
  }

  private static boolean isInterrupt(Throwable thrown) {
    Throwable it = thrown;
    for (int depth = 0; it != null && depth < MAX_CAUSES; depth++) { // Causes may form a cycle.
      if (it instanceof InterruptedException) {
        return true;
      }
      it = it.getCause();
    }
    return Thread.currentThread().isInterrupted();
  }

  /** Returns a settlement by which the job is due again, and its run does not count. */
  private static Settlement uncounted(JobLease jobLease, Duration delay, String why) {
    return new Settlement.Reschedule(jobLease, delay, false, AttemptFailure.of(why));
  }
}
