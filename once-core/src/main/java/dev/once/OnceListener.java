package dev.once;

/**
 * Receives the engine's events. Called on the engine's threads, so it has to be quick and
 * thread-safe; what it throws goes to the thread's uncaught-exception handler and changes nothing.
 */
@FunctionalInterface
public interface OnceListener {
  /** Ignores all events. */
  OnceListener NONE = event -> {};

  void on(EngineEvent event);
}
