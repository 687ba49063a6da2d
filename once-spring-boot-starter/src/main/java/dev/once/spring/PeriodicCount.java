package dev.once.spring;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Counts something for gauges periodically, on a thread of its own, so that reading the gauges
 * never waits for the database.
 */
abstract class PeriodicCount implements SmartLifecycle {
  /** About as often as metrics are collected. */
  private static final Duration EVERY = Duration.ofSeconds(10);

  private final String threadName;
  private @Nullable ScheduledThreadPoolExecutor thread;

  PeriodicCount(String threadName) {
    this.threadName = threadName;
  }

  /** Counts again. An exception ends the counting. */
  abstract void count();

  @Override
  public synchronized void start() {
    if (thread == null) {
      thread = new ScheduledThreadPoolExecutor(1, this::daemon);
      var unused =
          thread.scheduleWithFixedDelay(this::count, 0, EVERY.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public synchronized void stop() {
    if (thread != null) {
      thread.shutdownNow();
      thread = null;
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return thread != null;
  }

  private Thread daemon(Runnable task) {
    Thread daemon = new Thread(task, threadName);
    daemon.setDaemon(true);
    return daemon;
  }
}
