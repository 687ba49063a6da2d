package dev.once.events;

/**
 * Receives the events of consumers. Called on the threads that cause them, so it has to be quick
 * and thread-safe; its exceptions go to the thread's uncaught-exception handler and change nothing.
 */
@FunctionalInterface
public interface ConsumerListener {
  /** Ignores all events. */
  ConsumerListener NONE = event -> {};

  void on(ConsumerEvent event);
}
