package dev.once.inbox;

/**
 * Receives events about deliveries and items. It is called on the threads that cause the events, so
 * it must be fast and thread-safe. Its exceptions go to the thread's uncaught-exception handler and
 * change nothing.
 */
@FunctionalInterface
public interface InboxListener {
  /** Ignores all events. */
  InboxListener NONE = event -> {};

  void on(InboxEvent event);
}
