package dev.once.jdbc.internal;

import dev.once.spi.DeferredInterrupt;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An answer that the creating thread waits for and another thread gives. */
class PendingAnswer<T> {
  private final Thread waiting = Thread.currentThread();
  private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
  private volatile @Nullable Supplier<T> answer;

  private enum State {
    WAITING,
    STARTED,
    ENDED,
    GIVEN_UP
  }

  /** Returns whether the call may be sent: its caller still waits for it. */
  final boolean start() {
    return state.compareAndSet(State.WAITING, State.STARTED);
  }

  /** Returns whether the call ended while its caller still waited for it. */
  final boolean end() {
    return state.compareAndSet(State.STARTED, State.ENDED);
  }

  /** Returns whether the call was not sent, and will not be. */
  final boolean giveUpUnsent() {
    return state.compareAndSet(State.WAITING, State.GIVEN_UP);
  }

  /** Returns whether the call was sent and has not ended. */
  final boolean giveUpSent() {
    return state.compareAndSet(State.STARTED, State.GIVEN_UP);
  }

  final boolean isGivenUp() {
    return state.get() == State.GIVEN_UP;
  }

  /** Gives the answer. The waiting thread calls the supplier. */
  final void give(Supplier<T> answer) {
    this.answer = answer;
    LockSupport.unpark(waiting);
  }

  /** Waits until {@code deadline}, interrupted or not. Returns null if there is no answer. */
  final @Nullable Supplier<T> await(long deadline, DeferredInterrupt interrupt) {
    Supplier<T> given = answer;
    while (given == null) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return answer;
      }
      interrupt.pause(left);
      given = answer;
    }
    return given;
  }
}
