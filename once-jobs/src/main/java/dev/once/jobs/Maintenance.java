package dev.once.jobs;

import dev.once.jobs.MakeReadyStatement.Tended;
import dev.once.jobs.UnblockStatement.Unblocked;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs the periodic tasks: makes jobs ready, unblocks jobs, fires schedules and purges finished
 * keys.
 */
final class Maintenance implements AutoCloseable {
  private static final Duration PURGE_INTERVAL = Duration.ofMinutes(1);

  /** Keeps a due job that another transaction has locked from being polled without pause. */
  private static final Duration MIN_PAUSE = Duration.ofMillis(10);

  private final WorkerContext place;
  private final QueueNotifier notifier;
  private final Schedules schedules;
  private final ScheduledThreadPoolExecutor thread = Threads.scheduled(1, "once-jobs-caretaker");

  // Used only on the maintenance thread.
  private UnblockStatement.Place walked = UnblockStatement.Place.FIRST;

  Maintenance(WorkerContext place, QueueNotifier notifier, Schedules schedules) {
    this.place = place;
    this.notifier = notifier;
    this.schedules = schedules;
  }

  void start() {
    thread.execute(this::tendAndPlanNext);
    long minute = PURGE_INTERVAL.toMillis();
    var unused =
        thread.scheduleWithFixedDelay(this::purge, minute / 2, minute, TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  private void tendAndPlanNext() {
    Duration next = place.pollInterval();
    try {
      Duration due = tend();
      if (due.compareTo(next) < 0) {
        next = due.compareTo(MIN_PAUSE) < 0 ? MIN_PAUSE : due;
      }
    } catch (RuntimeException | Error e) {
      place.listener().on(JobEvent.Trouble.of("maintaining jobs", e));
    } finally {
      if (!thread.isShutdown()) {
        var unused = thread.schedule(this::tendAndPlanNext, next.toNanos(), TimeUnit.NANOSECONDS);
      }
    }
  }

  /** Returns the time until this has to run again. */
  private Duration tend() {
    Tended tended = place.work().run("making jobs ready", MakeReadyStatement::execute);
    tended.queues().forEach(notifier::ring);
    if (tended.rescued() > 0) {
      place.listener().on(new JobEvent.Rescued(tended.rescued()));
    }
    Unblocked unblocked =
        place.work().run("unblocking jobs", it -> UnblockStatement.execute(it, walked));
    walked = unblocked.next();
    unblocked.queues().forEach(notifier::ring);
    Duration firing = schedules.fire(place.pollInterval());
    return tended.nextDue().filter(due -> due.compareTo(firing) < 0).orElse(firing);
  }

  private void purge() {
    try {
      long keys =
          place
              .work()
              .run("purging finished jobs", it -> PurgeStatement.execute(it, place.retention()));
      if (keys > 0) {
        place.listener().on(new JobEvent.Purged(keys));
      }
    } catch (RuntimeException | Error e) { // A scheduled task that throws is never called again.
      place.listener().on(JobEvent.Trouble.of("purging finished jobs", e));
    }
  }
}
