package dev.once;

import dev.once.spi.Claim;
import java.time.Duration;

/** Tells the listener, and keeps what it throws away from the engine. */
record Announcer(OnceListener listener) {
  void granted(Claim.Granted grant) {
    tell(new OnceEvent.Granted(grant.key(), grant.fence(), grant.attempt()));
  }

  void completed(Claim.Granted grant, boolean failed, Duration took) {
    tell(new OnceEvent.Completed(grant.key(), grant.fence(), failed, took));
  }

  void tell(OnceEvent event) {
    try {
      listener.on(event);
    } catch (Throwable e) {
      hand(e);
    }
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
