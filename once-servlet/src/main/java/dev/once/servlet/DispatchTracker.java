package dev.once.servlet;

import jakarta.servlet.AsyncContext;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Tracks one request through the dispatches of the container and the threads of its handler. It
 * decides what ends the request: a handler that completes during a dispatch, one that completes
 * later, or a container that times out.
 *
 * <p>An asynchronous handler may call {@code complete} on any thread while the dispatch in which it
 * started still runs. In containers the call takes effect when the dispatch returns, and what is
 * written until then belongs to the answer; the same holds here. Listeners for reading and writing
 * are called at that time too.
 */
final class DispatchTracker implements Executor {
  /** When a handler's call of {@code complete} takes effect. */
  enum Completion {
    /** At the end of the current dispatch. */
    IN_DISPATCH,
    /** Now: the caller ends the exchange and then completes the container's context. */
    NOW,
    /** Never: the container has already gone on without the handler. */
    TOO_LATE
  }

  // Guarded by this.
  private final Queue<Runnable> later = new ArrayDeque<>();
  private boolean running;
  private boolean started;
  private boolean completed;
  private boolean notAwaited;
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

  /**
   * Returns whether the handler is known to have gone asynchronous in this or the last dispatch.
   */
  synchronized boolean isAsyncStarted() {
    return started;
  }

  /**
   * Records that the handler has completed; completes {@code real} too if a dispatch is running.
   */
  synchronized Completion complete(AsyncContext real) {
    if (givenUp) {
      return Completion.TOO_LATE;
    }
    if (running) {
      real.complete(); // May throw; the state is unchanged then.
    }
    completed = true;
    finishing = !running;
    return running ? Completion.IN_DISPATCH : Completion.NOW;
  }

  /**
   * Returns whether a handler that completed in time is storing its answer now, on its own thread.
   * A container that times out meanwhile must not release the key: the effect has happened.
   */
  synchronized boolean isFinishing() {
    return finishing;
  }

  /** Records that the answer is stored, or left to the container's error page. */
  synchronized void finished() {
    finishing = false;
  }

  /**
   * Records that the container stopped waiting for a handler that has not completed. Its thread may
   * be running in every later dispatch, until the request ends.
   */
  synchronized void notAwaited() {
    notAwaited |= !completed;
  }

  /** Continues without the handler; returns whether the handler may still be running. */
  synchronized boolean giveUp() {
    givenUp = mayBeRunning();
    return givenUp;
  }

  /** Returns whether the handler may be running on a thread of its own. */
  synchronized boolean mayBeRunning() {
    return givenUp || notAwaited || (started && !completed);
  }

  /**
   * Ends the dispatch; returns whether the handler continues in another one or on its own thread.
   */
  synchronized boolean end() {
    running = false;
    return started && !completed;
  }

  /** Runs a task when the dispatch ends, or immediately if none is running. */
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

  /** Runs the deferred tasks. */
  void runDeferred() {
    for (Runnable task = next(); task != null; task = next()) {
      task.run();
    }
  }

  private synchronized @Nullable Runnable next() {
    return later.poll();
  }
}
