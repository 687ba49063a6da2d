package dev.once;

import dev.once.internal.Listeners;
import dev.once.spi.Claim;
import java.time.Duration;
import java.util.function.Consumer;

/** Notifies the listener and keeps its exceptions away from the engine. */
final class EngineEventPublisher {
  private final Consumer<EngineEvent> listener;

  EngineEventPublisher(OnceListener listener) {
    this.listener = Listeners.guarded(listener::on);
  }

  void granted(Claim.Granted grant) {
    publish(new EngineEvent.Granted(grant.key(), grant.fence(), grant.attempt()));
  }

  void completed(Claim.Granted grant, boolean failed, Duration took) {
    publish(new EngineEvent.Completed(grant.key(), grant.fence(), failed, took));
  }

  void publish(EngineEvent event) {
    listener.accept(event);
  }
}
