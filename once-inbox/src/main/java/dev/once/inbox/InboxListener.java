package dev.once.inbox;

/** Is told what happens to what providers send. Called on the thread that does it: be quick. */
@FunctionalInterface
public interface InboxListener {
  /** Hears nothing. */
  InboxListener NONE = event -> {};

  void on(InboxEvent event);
}
