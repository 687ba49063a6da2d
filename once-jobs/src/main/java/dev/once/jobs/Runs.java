package dev.once.jobs;

import dev.once.NoAnswerException;
import dev.once.Result;
import dev.once.TenantLimitException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Runs claimed jobs, and decides what becomes of them. */
final class Runs {
  private static final int MAX_CAUSES = 100;

  private final Workplace place;
  private final BooleanSupplier isStopping;
  private final TransactionalRuns transactional;
  private final LeasedRuns leased;

  Runs(Workplace place, BooleanSupplier isStopping) {
    this.place = place;
    this.isStopping = isStopping;
    this.transactional = new TransactionalRuns(place, this::failed);
    this.leased = new LeasedRuns(place, this::failed);
  }

  /** Told of a try that threw. */
  interface Failed {
    void accept(Hold hold, RetryPolicy retries, Throwable thrown);
  }

  void run(List<Hold> holds, Handler handler) {
    List<Hold> left = holds.stream().filter(hold -> begins(hold, handler)).toList();
    if (left.isEmpty()) {
      return;
    }
    if (handler instanceof Handler.Transactional it) {
      transactional.run(left, it);
    } else if (handler instanceof Handler.Leased it) {
      left.forEach(hold -> leased.run(hold, it));
    }
  }

  private boolean begins(Hold hold, Handler handler) {
    ClaimedJob job = hold.job();
    if (hold.isLost() || hold.isOver()) {
      place.endings().lost(hold);
      return false;
    }
    if (job.attempt() > handler.retries().tries()) {
      bury(hold, Failure.of("its worker vanished in the last of its tries"));
      return false;
    }
    place
        .listener()
        .on(
            new JobEvent.Started(
                job.key(), job.id(), job.attempt(), job.fence(), job.age().plus(hold.age())));
    return true;
  }

  private void failed(Hold hold, RetryPolicy retries, Throwable thrown) {
    Failure failure = Failure.of(thrown);
    int attempt = hold.job().attempt();
    if (hold.isLost()) {
      place.endings().lost(hold);
    } else if (thrown instanceof JobException.Snooze it) {
      comeBack(hold, it.delay(), failure.reason());
    } else if (thrown instanceof NoAnswerException it
        && it.result() instanceof Result.Held<?> held) {
      comeBack(hold, LeasedRuns.waitFor(held.leaseLeft()), failure.reason());
    } else if (thrown instanceof TenantLimitException it) {
      comeBack(hold, it.retryAfter(), failure.reason());
    } else if (isStopping.getAsBoolean() && isInterrupt(thrown)) {
      comeBack(hold, Duration.ZERO, "its worker stops");
    } else if (thrown instanceof JobException.GiveUp) {
      bury(hold, failure);
    } else if (hold.runner().queue().isPaused().getAsBoolean()) {
      comeBack(hold, retries.delayAfter(1), "its queue is paused: " + failure.reason());
    } else if (attempt >= retries.tries()) {
      bury(hold, failure);
    } else {
      Duration delay =
          thrown instanceof JobException.Retry it ? it.delay() : retries.delayAfter(attempt);
      place.endings().add(new Ending.Again(hold, delay, true, failure));
    }
  }

  private static boolean isInterrupt(Throwable thrown) {
    Throwable it = thrown;
    for (int depth = 0; it != null && depth < MAX_CAUSES; depth++) { // They may go in a circle.
      if (it instanceof InterruptedException) {
        return true;
      }
      it = it.getCause();
    }
    return Thread.currentThread().isInterrupted();
  }

  private void comeBack(Hold hold, Duration delay, String why) {
    place.endings().add(new Ending.Again(hold, delay, false, Failure.of(why)));
  }

  private void bury(Hold hold, Failure failure) {
    place.endings().add(new Ending.Dead(hold, failure));
  }
}
