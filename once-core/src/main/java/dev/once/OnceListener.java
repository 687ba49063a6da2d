package dev.once;

/**
 * Is told what the engine does. Called on the engine's threads, so it has to be quick and
 * thread-safe; what it throws goes to the thread's uncaught-exception handler and changes nothing.
 */
@FunctionalInterface
public interface OnceListener {
  /** Hears nothing. */
  OnceListener NONE = event -> {};

  void on(OnceEvent event);
}
