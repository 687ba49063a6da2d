package dev.once.spi;

import java.util.function.Consumer;

/** For those who tell listeners, and must not suffer from them. */
public final class Listeners {
  private Listeners() {}

  /**
   * Tells {@code listener}, and keeps what it throws away from whoever told it: that goes to the
   * thread's uncaught-exception handler.
   */
  public static <E> Consumer<E> guarded(Consumer<? super E> listener) {
    return event -> {
      try {
        listener.accept(event);
      } catch (Throwable e) {
        hand(e);
      }
    };
  }

  private static void hand(Throwable failure) {
    Thread thread = Thread.currentThread();
    try {
      thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
    } catch (Throwable ignored) {
      // A handler that throws has had its chance; an effect must not pay for it.
    }
  }
}
