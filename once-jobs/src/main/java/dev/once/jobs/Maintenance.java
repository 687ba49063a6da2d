package dev.once.jobs;

import dev.once.jobs.MakeReadyStatement.MakeReadyResult;
import dev.once.jobs.UnblockStatement.UnblockResult;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Runs the periodic tasks: makes jobs ready, unblocks jobs, fires schedules and purges finished
 * keys.
 */
final class Maintenance implements AutoCloseable {
  private static final Duration PURGE_INTERVAL = Duration.ofMinutes(1);

  /** Keeps a due job that another transaction has locked from being polled without pause. */
  private static final Duration MIN_PAUSE = Duration.ofMillis(10);

  /** However many jobs are enqueued for later, it looks for due ones this often at most. */
  private static final Duration WAKE_INTERVAL = Duration.ofMillis(50);

  private final WorkerContext context;
  private final QueueNotifier notifier;
  private final Schedules schedules;
  private final SupervisedThread thread;
  private final Signal wake = new Signal();
  private volatile boolean closed;

  // Used only on the maintenance thread.
  private UnblockStatement.Position position = UnblockStatement.Position.FIRST;
  private long purgedNanos = System.nanoTime() - PURGE_INTERVAL.toNanos() / 2;

  Maintenance(WorkerContext context, QueueNotifier notifier, Schedules schedules) {
    this.context = context;
    this.notifier = notifier;
    this.schedules = schedules;
    this.thread =
        new SupervisedThread(
            "once-jobs-maintenance",
            "maintaining jobs",
            this::runUntilClosed,
            () -> closed,
            context.listener());
  }

  void start() {
    thread.start();
  }

  /** Looks for due jobs soon: one may be due before the next poll. */
  void wake() {
    wake.signal();
  }

  @Override
  public void close() {
    closed = true;
    wake.signal();
    thread.interrupt();
  }

  private void runUntilClosed() throws InterruptedException {
    while (!closed) {
      long startedNanos = System.nanoTime();
      Duration next = context.pollInterval();
      try {
        Duration due = runTasks();
        if (due.compareTo(next) < 0) {
          next = due.compareTo(MIN_PAUSE) < 0 ? MIN_PAUSE : due;
        }
        purge();
      } catch (RuntimeException | Error e) {
        SupervisedThread.report(context.listener(), "maintaining jobs", e);
      }
      long left = WAKE_INTERVAL.toNanos() - (System.nanoTime() - startedNanos);
      if (left > 0 && next.toNanos() > left) {
        TimeUnit.NANOSECONDS.sleep(left);
        next = next.minusNanos(left);
      }
      wake.await(next);
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
    long now = System.nanoTime();
    if (now - purgedNanos < PURGE_INTERVAL.toNanos()) {
      return;
    }
    purgedNanos = now;
    long keys =
        context
            .work()
            .run(
                "purging finished jobs",
                it -> PurgeStatement.execute(it, context.retentions().keys()));
    if (keys > 0) {
      context.listener().on(new JobEvent.Purged(keys));
    }
    context
        .work()
        .runInTransaction(
            "purging dead letters and the audit trail",
            it -> {
              PurgeOldStatement.execute(it, context.retentions());
              return true;
            });
  }
}
