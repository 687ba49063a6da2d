package dev.once.inbox;

/**
 * Is told what happens to what providers send. Called on the threads of those who make it happen,
 * so it has to be quick and thread-safe; what it throws goes to the thread's uncaught-exception
 * handler and changes nothing.
 */
@FunctionalInterface
public interface InboxListener {
  /** Hears nothing. */
  InboxListener NONE = event -> {};

  void on(InboxEvent event);
}
