package dev.once.spring;

import dev.once.StoreException;
import dev.once.jobs.Jobs;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Counts jobs for {@link JobGauges} periodically, on a thread of its own, so that reading the
 * gauges never waits for the database.
 */
final class JobCount implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(JobCount.class);

  /** About as often as metrics are collected. */
  private static final Duration EVERY = Duration.ofSeconds(10);

  private final Jobs jobs;
  private final JobGauges gauges;
  private @Nullable ScheduledThreadPoolExecutor thread;

  JobCount(Jobs jobs, JobGauges gauges) {
    this.jobs = jobs;
    this.gauges = gauges;
  }

  @Override
  public synchronized void start() {
    if (thread == null) {
      thread = new ScheduledThreadPoolExecutor(1, JobCount::daemon);
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

  void count() {
    try {
      gauges.show(jobs.census());
    } catch (StoreException e) {
      gauges.showNothing();
      LOG.debug("jobs could not be counted", e);
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "once-jobs-count");
    thread.setDaemon(true);
    return thread;
  }
}
