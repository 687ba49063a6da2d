package dev.once.webhooks;

/**
 * Receives events about messages and endpoints. It is called on the threads that cause the events,
 * so it must be fast and thread-safe. Its exceptions go to the thread's uncaught-exception handler
 * and change nothing.
 */
@FunctionalInterface
public interface WebhookListener {
  /** Ignores all events. */
  WebhookListener NONE = event -> {};

  void on(WebhookEvent event);
}
