package dev.once.jobs;

import dev.once.Codec;
import dev.once.EffectState;
import dev.once.FailurePolicy;
import dev.once.Recovery;
import dev.once.Request;
import dev.once.Result;
import dev.once.Terms;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs handlers through the engine, which records what was done. */
record LeasedJobExecutor(WorkerContext context, JobExecutor.Failed failed) {
  /** The shortest wait for another owner of the record, even if less of its lease is left. */
  private static final Duration MIN_WAIT = Duration.ofMillis(500);

  /**
   * Classifies like the engine's default, except that work that was snoozed or did not start had no
   * effect.
   */
  private record JobFailurePolicy(Recovery recovery) implements FailurePolicy<@Nullable Void> {
    @Override
    public EffectState<@Nullable Void> classify(Throwable failure) {
      boolean didNothing =
          failure instanceof JobLostException
              || (failure instanceof JobException it
                  && it.<Boolean>fold(retry -> false, giveUp -> false, snooze -> true));
      return didNothing || recovery == Recovery.RERUN
          ? EffectState.didNotHappen()
          : EffectState.unknown();
    }
  }

  void run(JobLease jobLease, Handler.Leased handler) {
    Optional<String> forgotten = forgotten(jobLease.job(), handler);
    if (forgotten.isPresent()) {
      AttemptFailure failure = AttemptFailure.of(forgotten.get());
      context
          .settlements()
          .add(new Settlement.Dead(jobLease, jobLease.job().attempt() - 1, failure));
      return;
    }
    Result<@Nullable Void> result;
    long started = System.nanoTime();
    try {
      // Before the engine is asked: nothing has happened yet if it cannot be read.
      byte[] payload = context.open(jobLease.job());
      result =
          handler
              .once()
              .run(request(jobLease.job(), handler), execution -> call(handler, jobLease, payload));
    } catch (JobLostException e) {
      context.settlements().lost(jobLease);
      return;
    } catch (Throwable e) {
      failed.accept(jobLease, handler.retries(), e);
      return;
    }
    Duration took = Duration.ofNanos(System.nanoTime() - started);
    context
        .settlements()
        .add(
            result.fold(
                executed -> new Settlement.Done(jobLease, took),
                replayed -> new Settlement.Done(jobLease, took),
                held -> reschedule(jobLease, held.leaseLeft()),
                mismatched -> dead(jobLease, "its key was used before, for something else"),
                uncertain -> uncertain(jobLease, handler.retries()),
                dropped -> new Settlement.Done(jobLease, took)));
  }

  /** Returns why the job must not run any more, if what it did may be forgotten. */
  private Optional<String> forgotten(ClaimedJob job, Handler.Leased handler) {
    Duration retention = context.retentions().effects();
    if ((job.attempt() > 1 || job.isSuspect()) && job.sinceBegan().compareTo(retention) >= 0) {
      return Optional.of(
          "its first attempt was %s ago, and its effects are remembered for %s"
              .formatted(job.sinceBegan(), retention));
    }
    return job.sinceLapsed()
        .filter(it -> handler.mustAsk() && it.compareTo(context.retentions().keys()) >= 0)
        .map(
            it ->
                "its last run ended %s ago, and that it was done is remembered for %s"
                    .formatted(it, context.retentions().keys()));
  }

  private @Nullable Void call(Handler.Leased handler, JobLease jobLease, byte[] payload)
      throws Exception {
    FencedJobExecutor.call(context, handler.work(), handler.deadline(), jobLease, payload);
    return null;
  }

  private Request<@Nullable Void> request(ClaimedJob job, Handler.Leased handler) {
    Request<@Nullable Void> request =
        Request.of(job.key().toKey(), Codec.nothing())
            .withFingerprint(job.fingerprint())
            // Snoozed runs are grants too. The attempts of a job are counted in its row.
            .withTerms(
                handler
                    .terms()
                    .withMaxAttempts(Terms.MAX_ATTEMPTS)
                    .withRetention(context.retentions().keys(), context.retentions().keys()))
            .withFailurePolicy(new JobFailurePolicy(handler.terms().recovery()))
            .withCorrelation(job.correlation());
    return handler.reconciler().map(request::withReconciler).orElse(request);
  }

  /** Another run of the work has not ended: the job is rescheduled, and the run does not count. */
  private static Settlement reschedule(JobLease jobLease, Duration leaseLeft) {
    return new Settlement.Reschedule(
        jobLease,
        waitFor(leaseLeft),
        RunKind.UNCOUNTED,
        AttemptFailure.of("an earlier run has not ended"));
  }

  /** Returns how long to wait for a record that another owner holds. */
  static Duration waitFor(Duration leaseLeft) {
    return leaseLeft.compareTo(MIN_WAIT) < 0 ? MIN_WAIT : leaseLeft;
  }

  private static Settlement uncertain(JobLease jobLease, RetryPolicy retries) {
    int attempt = jobLease.job().attempt();
    String reason = "the outcome of an earlier run is unknown";
    return attempt >= retries.attempts()
        ? dead(jobLease, reason)
        : new Settlement.Reschedule(
            jobLease, retries.delayAfter(attempt), RunKind.COUNTED, AttemptFailure.of(reason));
  }

  private static Settlement dead(JobLease jobLease, String reason) {
    return Settlement.Dead.inThisAttempt(jobLease, AttemptFailure.of(reason));
  }
}
