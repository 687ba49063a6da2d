package dev.once.servlet;

import jakarta.servlet.AsyncContext;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Follows the dispatches of one request. A handler that goes asynchronous may say on any thread
 * that it is done while the dispatch in which it started still runs; for containers that takes
 * effect when the dispatch returns, and what is written until then belongs to the answer. So it
 * does here. Listeners for reading and writing are called at that time too.
 */
final class Turns implements Executor {
  /** What a dispatch has left behind. */
  enum End {
    /** The handler is done. */
    DONE,
    /** The handler goes on, on another thread or in another dispatch. */
    ASYNC
  }

  // Guarded by this.
  private final Queue<Runnable> later = new ArrayDeque<>();
  private boolean running;
  private boolean started;
  private boolean completed;

  synchronized void begin() {
    running = true;
    started = false;
    completed = false;
  }

  synchronized void asyncStarted() {
    started = true;
  }

  /** Whether the handler went asynchronous, as far as we know, in this dispatch or the last. */
  synchronized boolean isAsyncStarted() {
    return started;
  }

  /**
   * Tells the container that the request is complete, if a dispatch runs whose end will see to the
   * rest. If none does, the caller has to.
   */
  synchronized boolean completeInDispatch(AsyncContext real) {
    if (running) {
      real.complete(); // May refuse, and then nothing has changed.
      completed = true;
    }
    return running;
  }

  synchronized End end() {
    running = false;
    return started && !completed ? End.ASYNC : End.DONE;
  }

  /** Runs a task when the dispatch ends, or at once if none runs. */
  @Override
  public void execute(Runnable task) {
    synchronized (this) {
      if (running) {
        later.add(task);
        return;
      }
    }
    task.run();
  }

  /** Runs what was left for later. */
  void runDeferred() {
    for (Runnable task = next(); task != null; task = next()) {
      task.run();
    }
  }

  private synchronized @Nullable Runnable next() {
    return later.poll();
  }
}
