package dev.once.jobs;

import dev.once.NoAnswerException;
import dev.once.Result;
import dev.once.StoreException;
import dev.once.TenantLimitException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
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
  private final FencedJobExecutor fenced;

  JobExecutor(WorkerContext context, BooleanSupplier isStopping) {
    this.context = context;
    this.isStopping = isStopping;
    this.transactional = new TransactionalJobExecutor(context, this::failed);
    this.leased = new LeasedJobExecutor(context, this::failed);
    this.fenced = new FencedJobExecutor(context, this::failed);
  }

  TransactionalJobExecutor transactional() {
    return transactional;
  }

  LeasedJobExecutor leased() {
    return leased;
  }

  FencedJobExecutor fenced() {
    return fenced;
  }

  /** Receives the attempts that threw. */
  interface Failed {
    void accept(JobLease jobLease, RetryPolicy retries, Throwable thrown);
  }

  void run(List<JobLease> leases, Handler handler) {
    List<JobLease> left = leases.stream().filter(it -> mayStart(it, handler.retries())).toList();
    List<JobLease> held = handler.leavesEffects() ? confirm(left) : left;
    List<JobLease> started = countInAdvance(held, handler.retries());
    started.forEach(this::reportStart);
    if (!started.isEmpty()) {
      handler.run(started, this);
    }
  }

  private boolean mayStart(JobLease jobLease, RetryPolicy retries) {
    ClaimedJob job = jobLease.job();
    if (jobLease.isLost() || jobLease.isOver()) {
      context.settlements().lost(jobLease);
      return false;
    }
    if (job.attempt() > retries.attempts()) {
      AttemptFailure failure = AttemptFailure.of("its lease expired in its last attempt");
      context.settlements().add(new Settlement.Dead(jobLease, job.attempt() - 1, failure));
      return false;
    }
    return true;
  }

  /**
   * Counts an attempt before its handler begins if the job may have ended its process before, or if
   * it is the last one: no crash may give it another. The other attempts are counted when they have
   * failed: a process that ends has begun few of the jobs that it holds. Returns the jobs whose
   * lease is not lost.
   */
  private List<JobLease> countInAdvance(List<JobLease> leases, RetryPolicy retries) {
    List<JobLease> doubtful =
        leases.stream()
            .filter(it -> it.job().isSuspect() || it.job().attempt() == retries.attempts())
            .toList();
    return check(leases, doubtful, "counting attempts", CountStatement::execute);
  }

  /**
   * Looks for jobs that may not exist, before their handlers have effects that no rollback undoes.
   */
  private List<JobLease> confirm(List<JobLease> leases) {
    List<JobLease> doubtful = leases.stream().filter(it -> !it.isCertain()).toList();
    return check(leases, doubtful, "looking for jobs", HeldStatement::execute);
  }

  /** Returns the ids of the jobs whose leases are not lost. */
  private interface Check {
    Set<Long> execute(Connection connection, List<JobLease> leases) throws SQLException;
  }

  /** Returns {@code leases} without those of {@code doubtful} that turn out to be lost. */
  private List<JobLease> check(
      List<JobLease> leases, List<JobLease> doubtful, String what, Check check) {
    if (doubtful.isEmpty()) {
      return leases;
    }
    Set<Long> held;
    try {
      held = context.work().run(what, it -> check.execute(it, doubtful));
    } catch (StoreException e) {
      leases.forEach(it -> it.runner().putBack(it, what + " failed"));
      context.listener().on(new JobEvent.Trouble(what, e));
      return List.of();
    }
    List<JobLease> lost = doubtful.stream().filter(it -> !held.contains(it.job().id())).toList();
    lost.forEach(context.settlements()::lost);
    return leases.stream().filter(it -> !lost.contains(it)).toList();
  }

  private void reportStart(JobLease jobLease) {
    ClaimedJob job = jobLease.job();
    context
        .listener()
        .on(
            new JobEvent.Started(
                job.key(), job.id(), job.attempt(), job.fence(), job.age().plus(jobLease.age())));
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
          : Settlement.Dead.inThisAttempt(jobLease, failure);
    }
    // A snoozed job is due when its handler said, even if its worker stops.
    boolean isSnoozed = thrown instanceof JobException.Snooze;
    if (!isSnoozed && isStopping.getAsBoolean() && isInterrupt(thrown)) {
      return uncounted(jobLease, Duration.ZERO, "its worker stops");
    }
    if (jobLease.hasExceededDeadline() && !(thrown instanceof JobException)) {
      Duration delay = retries.delayAfter(jobLease.job().attempt());
      return failedAttempt(jobLease, retries, failure.afterDeadline(), delay);
    }
    if (thrown instanceof JobException it) {
      return it.fold(
          retry -> failedAttempt(jobLease, retries, failure, retry.delay()),
          giveUp -> Settlement.Dead.inThisAttempt(jobLease, failure),
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
    return jobLease.job().attempt() >= retries.attempts()
        ? Settlement.Dead.inThisAttempt(jobLease, failure)
        : new Settlement.Reschedule(jobLease, delay, RunKind.COUNTED, failure);
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
    return new Settlement.Reschedule(jobLease, delay, RunKind.UNCOUNTED, AttemptFailure.of(why));
  }
}
