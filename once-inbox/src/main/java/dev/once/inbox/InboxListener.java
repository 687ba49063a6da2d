package dev.once.inbox;

/** Is told what happens to what providers send. Called on the thread that does it: be quick. */
@FunctionalInterface
public interface InboxListener {
  /** Hears nothing. */
  InboxListener NONE = event -> {};

  void on(InboxEvent event);

  /** What {@code listener} throws goes to the thread's handler of such, and changes nothing. */
  static InboxListener guarded(InboxListener listener) {
    return event -> {
      try {
        listener.on(event);
      } catch (Throwable e) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
      }
    };
  }
}
