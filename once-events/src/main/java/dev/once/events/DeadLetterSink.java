package dev.once.events;

/** Where events go that a handler gave up, such as a dead-letter topic. Thread-safe. */
@FunctionalInterface
public interface DeadLetterSink {
  /**
   * Keeps a letter durably. It may come again after a crash, with the same event and handler.
   *
   * @throws Exception if it is not kept; the consumer tries again later
   */
  void accept(DeadLetter letter) throws Exception;

  /**
   * An event that was given up.
   *
   * @param attempts how often it was tried; 0 if the registry could not be reached
   */
  record DeadLetter(String handler, Event event, int attempts, String reason) {}
}
