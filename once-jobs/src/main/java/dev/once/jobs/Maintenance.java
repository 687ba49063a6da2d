package dev.once.jobs;

import dev.once.jdbc.internal.Threads;
import dev.once.jobs.MakeReadyStatement.MakeReadyResult;
import dev.once.jobs.UnblockStatement.UnblockResult;
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

  private final WorkerContext context;
  private final QueueNotifier notifier;
  private final Schedules schedules;
  private final ScheduledThreadPoolExecutor thread = Threads.scheduled(1, "once-jobs-maintenance");

  // Used only on the maintenance thread.
  private UnblockStatement.Position position = UnblockStatement.Position.FIRST;

  Maintenance(WorkerContext context, QueueNotifier notifier, Schedules schedules) {
    this.context = context;
    this.notifier = notifier;
    this.schedules = schedules;
  }

  void start() {
    thread.execute(this::runAndReschedule);
    long minute = PURGE_INTERVAL.toMillis();
    var unused =
        thread.scheduleWithFixedDelay(this::purge, minute / 2, minute, TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  private void runAndReschedule() {
    Duration next = context.pollInterval();
    try {
      Duration due = runTasks();
      if (due.compareTo(next) < 0) {
        next = due.compareTo(MIN_PAUSE) < 0 ? MIN_PAUSE : due;
      }
    } catch (RuntimeException | Error e) {
      context.listener().on(JobEvent.Trouble.of("maintaining jobs", e));
    } finally {
      if (!thread.isShutdown()) {
        var unused = thread.schedule(this::runAndReschedule, next.toNanos(), TimeUnit.NANOSECONDS);
      }
    }
  }

  /** Returns the time until this has to run again. */
  private Duration runTasks() {
    MakeReadyResult result = context.work().run("making jobs ready", MakeReadyStatement::execute);
    result.queues().forEach(notifier::notifyQueue);
    if (result.rescued() > 0) {
      context.listener().on(new JobEvent.Rescued(result.rescued()));
    }
    UnblockResult unblocked =
        context.work().run("unblocking jobs", it -> UnblockStatement.execute(it, position));
    position = unblocked.next();
    unblocked.queues().forEach(notifier::notifyQueue);
    Duration firing = schedules.fire(context.pollInterval());
    return result.nextDue().filter(due -> due.compareTo(firing) < 0).orElse(firing);
  }

  private void purge() {
    try {
      long keys =
          context
              .work()
              .run("purging finished jobs", it -> PurgeStatement.execute(it, context.retention()));
      if (keys > 0) {
        context.listener().on(new JobEvent.Purged(keys));
      }
    } catch (RuntimeException | Error e) { // A scheduled task that throws is never called again.
      context.listener().on(JobEvent.Trouble.of("purging finished jobs", e));
    }
  }
}
