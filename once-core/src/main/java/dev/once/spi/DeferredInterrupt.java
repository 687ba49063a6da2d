package dev.once.spi;

import java.util.concurrent.locks.LockSupport;

/**
 * Keeps interrupts of the current thread away from a store call and restores them afterwards. A
 * connection pool refuses an interrupted thread, and an interrupt closes the socket that a virtual
 * thread reads from; neither may change what the store answers.
 *
 * <pre>{@code
 * try (DeferredInterrupt interrupt = DeferredInterrupt.begin()) {
 *   // one or more tries; interrupt.clear() before each
 * }
 * }</pre>
 *
 * <p>Not thread-safe: for the thread that called {@link #begin} only.
 */
public final class DeferredInterrupt implements AutoCloseable {
  private boolean interrupted;

  private DeferredInterrupt() {}

  /** Clears the interrupt status of the current thread until {@link #close}. */
  public static DeferredInterrupt begin() {
    DeferredInterrupt deferred = new DeferredInterrupt();
    boolean unused = deferred.clear();
    return deferred;
  }

  /** Runs {@code action} with the interrupt status cleared, and restores it. */
  public static void during(Runnable action) {
    DeferredInterrupt deferred = begin();
    try {
      action.run();
    } finally {
      deferred.close();
    }
  }

  /**
   * Clears an interrupt that arrived in the meantime.
   *
   * @return whether there was one since the last call
   */
  public boolean clear() {
    boolean arrived = Thread.interrupted();
    interrupted |= arrived;
    return arrived;
  }

  /** Pauses for about {@code nanos}, less if the thread is unparked or interrupted. */
  public void pause(long nanos) {
    LockSupport.parkNanos(this, nanos);
    boolean unused = clear();
  }

  /** Pauses for {@code nanos}, although the thread is unparked or interrupted meanwhile. */
  public void sleep(long nanos) {
    long deadline = System.nanoTime() + nanos;
    for (long left = nanos; left > 0; left = deadline - System.nanoTime()) {
      pause(left);
    }
  }

  /** Restores the interrupt status if there was an interrupt. */
  @Override
  public void close() {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
