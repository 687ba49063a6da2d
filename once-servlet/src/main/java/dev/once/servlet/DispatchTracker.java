package dev.once.servlet;

import jakarta.servlet.AsyncContext;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Follows one request through the dispatches of the container and the threads of its handler. It
 * settles who ends it: a handler that says it is done while a dispatch runs, one that says so
 * later, or a container that gives up on it.
 *
 * <p>A handler that went asynchronous may say on any thread that it is done while the dispatch in
 * which it started still runs. For containers that takes effect when the dispatch returns, and what
 * is written until then belongs to the answer; so it does here. Listeners for reading and writing
 * are called at that time too.
 */
final class DispatchTracker implements Executor {
  /** When a handler's word that it is done takes effect. */
  enum Completion {
    /** At the end of the dispatch that runs. */
    IN_DISPATCH,
    /** Now: the caller ends the exchange and then tells the container. */
    NOW,
    /** The container did not wait for it. */
    TOO_LATE
  }

  // Guarded by this.
  private final Queue<Runnable> later = new ArrayDeque<>();
  private boolean running;
  private boolean started;
  private boolean completed;
  private boolean givenUp;
  private boolean finishing;

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

  /** The handler says that it is done; {@code real} is told here if a dispatch runs. */
  synchronized Completion complete(AsyncContext real) {
    if (givenUp) {
      return Completion.TOO_LATE;
    }
    if (running) {
      real.complete(); // May refuse, and then nothing has changed.
    }
    completed = true;
    finishing = !running;
    return running ? Completion.IN_DISPATCH : Completion.NOW;
  }

  /**
   * Whether a handler that was done in time has its answer kept now, on its own thread. A container
   * that runs out of patience meanwhile must not give the key back: the effect has happened.
   */
  synchronized boolean isFinishing() {
    return finishing;
  }

  /** The answer is kept, or left to the container's error page. */
  synchronized void finished() {
    finishing = false;
  }

  /** The container goes on without the handler; whether the handler may still be at work. */
  synchronized boolean giveUp() {
    givenUp |= started && !completed;
    return givenUp;
  }

  /** Whether the handler may be at work on a thread of its own. */
  synchronized boolean mayGoOn() {
    return givenUp || (started && !completed);
  }

  /** The dispatch is over; whether the handler goes on, in another one or on its own thread. */
  synchronized boolean end() {
    running = false;
    return started && !completed;
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
