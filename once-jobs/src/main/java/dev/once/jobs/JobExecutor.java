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
    if (left.isEmpty()) {
      return;
    }
    if (handler instanceof Handler.Transactional it) {
      transactional.run(left, it);
    } else if (handler instanceof Handler.Leased it) {
      left.forEach(jobLease -> leased.run(jobLease, it));
    }
  }

  private boolean start(JobLease jobLease, Handler handler) {
    ClaimedJob job = jobLease.job();
    if (jobLease.isLost() || jobLease.isOver()) {
      context.settlements().lost(jobLease);
      return false;
    }
    if (job.attempt() > handler.retries().tries()) {
      deadLetter(jobLease, AttemptFailure.of("its lease expired in its last attempt"));
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
    AttemptFailure failure = AttemptFailure.of(thrown);
    int attempt = jobLease.job().attempt();
    if (jobLease.isLost()) {
      context.settlements().lost(jobLease);
    } else if (thrown instanceof JobException.Snooze it) {
      reschedule(jobLease, it.delay(), failure.reason());
    } else if (thrown instanceof NoAnswerException it
        && it.result() instanceof Result.Held<?> held) {
      reschedule(jobLease, LeasedJobExecutor.waitFor(held.leaseLeft()), failure.reason());
    } else if (thrown instanceof TenantLimitException it) {
      reschedule(jobLease, it.retryAfter(), failure.reason());
    } else if (isStopping.getAsBoolean() && isInterrupt(thrown)) {
      reschedule(jobLease, Duration.ZERO, "its worker stops");
    } else if (thrown instanceof JobException.GiveUp) {
      deadLetter(jobLease, failure);
    } else if (jobLease.runner().queue().isPaused().getAsBoolean()) {
      reschedule(jobLease, retries.delayAfter(1), "its queue is paused: " + failure.reason());
    } else if (attempt >= retries.tries()) {
      deadLetter(jobLease, failure);
    } else {
      Duration delay =
          thrown instanceof JobException.Retry it ? it.delay() : retries.delayAfter(attempt);
      context.settlements().add(new Settlement.Reschedule(jobLease, delay, true, failure));
    }
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

  private void reschedule(JobLease jobLease, Duration delay, String why) {
    context
        .settlements()
        .add(new Settlement.Reschedule(jobLease, delay, false, AttemptFailure.of(why)));
  }

  private void deadLetter(JobLease jobLease, AttemptFailure failure) {
    context.settlements().add(new Settlement.Dead(jobLease, failure));
  }
}
