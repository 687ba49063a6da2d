package dev.once.events;

import java.util.concurrent.ScheduledThreadPoolExecutor;

/** Creates threads that do not keep a process alive. */
final class Threads {
  private Threads() {}

  static ScheduledThreadPoolExecutor scheduled(int threads, String name) {
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(threads, task -> daemon(task, name));
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    return executor;
  }

  static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, "once-events-" + name);
    thread.setDaemon(true);
    return thread;
  }
}
