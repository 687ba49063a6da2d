package dev.once.jdbc.internal;

import java.util.concurrent.ScheduledThreadPoolExecutor;

/** Creates threads that do not keep a process alive. */
public final class Threads {
  private Threads() {}

  public static ScheduledThreadPoolExecutor scheduled(int threads, String name) {
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(threads, task -> daemon(task, name));
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    return executor;
  }

  public static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
