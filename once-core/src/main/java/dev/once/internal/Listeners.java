package dev.once.internal;

import java.util.function.Consumer;

/** Protects code that notifies listeners from what they throw. */
public final class Listeners {
  private Listeners() {}

  /**
   * Returns a consumer that notifies {@code listener}. What the listener throws goes to the
   * thread's uncaught-exception handler and not to the caller.
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
      // Ignored: an effect must not fail because of the handler.
    }
  }
}
