package dev.once.jobs;

import dev.once.jdbc.internal.Threads;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * A daemon thread whose task starts again if it ends by an exception or an error, such as when no
 * memory is left for a moment: no other thread would do its work.
 */
final class SupervisedThread {
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final String what;
  private final Task task;
  private final BooleanSupplier isClosed;
  private final JobListener listener;
  private final Thread thread;

  /** Work until the thread is closed or interrupted. */
  interface Task {
    void run() throws InterruptedException;
  }

  /**
   * @param what the task, for reports, such as "settling jobs"
   * @param isClosed whether a task that ends by an exception is not started again
   */
  SupervisedThread(
      String name, String what, Task task, BooleanSupplier isClosed, JobListener listener) {
    this.what = what;
    this.task = task;
    this.isClosed = isClosed;
    this.listener = listener;
    this.thread = Threads.daemon(this::run, name);
  }

  void start() {
    thread.start();
  }

  void interrupt() {
    thread.interrupt();
  }

  /** Returns whether the thread ended in time. */
  boolean join(Duration atMost) throws InterruptedException {
    thread.join(Math.max(1, atMost.toMillis()));
    return !thread.isAlive();
  }

  private void run() {
    try {
      while (!runOnce()) {
        Thread.sleep(PAUSE.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns whether the task has ended, and is not to be started again. */
  private boolean runOnce() throws InterruptedException {
    try {
      task.run();
      return true;
    } catch (RuntimeException | Error e) {
      report(listener, what, e);
      return isClosed.getAsBoolean();
    }
  }

  /** Reports a failure, if that is possible: there may be no memory for a report. */
  static void report(JobListener listener, String what, Throwable failure) {
    try {
      listener.on(JobEvent.Trouble.of(what, failure));
    } catch (RuntimeException | Error e) {
      // The failure would be reported in the same way.
    }
  }
}
