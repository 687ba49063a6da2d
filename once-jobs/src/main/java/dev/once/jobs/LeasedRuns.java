package dev.once.jobs;

import dev.once.Codec;
import dev.once.FailurePolicy;
import dev.once.Recovery;
import dev.once.Request;
import dev.once.Result;
import dev.once.Terms;
import dev.once.Verdict;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Runs handlers through the engine, which remembers what was done. */
record LeasedRuns(Workplace place, Runs.Failed failed) {
  /** How long to wait for another owner of the record when its lease cannot be told. */
  private static final Duration MIN_WAIT = Duration.ofMillis(500);

  /**
   * As the engine judges by itself, but for work that did not begin, or says that it did nothing.
   */
  private record Judge(Recovery recovery) implements FailurePolicy<@Nullable Void> {
    @Override
    public Verdict<@Nullable Void> judge(Throwable failure) {
      boolean didNothing =
          failure instanceof LostException || failure instanceof JobException.Snooze;
      return didNothing || recovery == Recovery.RERUN ? Verdict.didNotHappen() : Verdict.unknown();
    }
  }

  void run(Hold hold, Handler.Leased handler) {
    Result<@Nullable Void> result;
    long started = System.nanoTime();
    try {
      result = handler.once().run(request(hold.job(), handler), execution -> call(handler, hold));
    } catch (LostException e) {
      place.endings().lost(hold);
      return;
    } catch (Throwable e) {
      failed.accept(hold, handler.retries(), e);
      return;
    }
    Duration took = Duration.ofNanos(System.nanoTime() - started);
    place
        .endings()
        .add(
            result.fold(
                executed -> new Ending.Done(hold, took),
                replayed -> new Ending.Done(hold, took),
                held -> comeBack(hold, held.leaseLeft()),
                mismatched -> dead(hold, "its key was used before, for something else"),
                uncertain -> uncertain(hold, handler.retries()),
                dropped -> new Ending.Done(hold, took)));
  }

  /**
   * The engine's grant may have come late. Whoever has lost the job by then does not begin: others
   * may have run with a higher fence already, and fences have to rise from run to run.
   */
  private static @Nullable Void call(Handler.Leased handler, Hold hold) throws Exception {
    if (hold.isLost() || hold.isOver()) {
      throw new LostException();
    }
    hold.begin();
    try {
      handler.work().run(new JobRun(hold));
      return null;
    } finally {
      hold.end();
    }
  }

  private static Request<@Nullable Void> request(ClaimedJob job, Handler.Leased handler) {
    Request<@Nullable Void> request =
        Request.of(job.key().toKey(), Codec.nothing())
            .withFingerprint(job.fingerprint())
            // Runs that were snoozed are grants too. How often a job is tried is counted elsewhere.
            .withTerms(handler.terms().withMaxAttempts(Terms.MAX_ATTEMPTS))
            .withFailurePolicy(new Judge(handler.terms().recovery()))
            .withCorrelation(job.correlation());
    return handler.reconciler().map(request::withReconciler).orElse(request);
  }

  /** An earlier run, here or elsewhere, is still at it: the job is not charged for that. */
  private static Ending comeBack(Hold hold, Duration leaseLeft) {
    return new Ending.Again(
        hold, waitFor(leaseLeft), false, Failure.of("an earlier run has not ended"));
  }

  /** How long to stay away from what somebody else has. */
  static Duration waitFor(Duration leaseLeft) {
    return leaseLeft.compareTo(MIN_WAIT) < 0 ? MIN_WAIT : leaseLeft;
  }

  private static Ending uncertain(Hold hold, RetryPolicy retries) {
    int attempt = hold.job().attempt();
    String reason = "an earlier run vanished, and nobody can tell what it did";
    return attempt >= retries.tries()
        ? dead(hold, reason)
        : new Ending.Again(hold, retries.delayAfter(attempt), true, Failure.of(reason));
  }

  private static Ending dead(Hold hold, String reason) {
    return new Ending.Dead(hold, Failure.of(reason));
  }
}
