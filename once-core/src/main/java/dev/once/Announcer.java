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
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }
}
