package dev.once.events;

import dev.once.events.ReceivedEvent.Header;
import java.util.List;

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
   * @param headers those with which it was submitted ({@link EventConsumer#submitReceived})
   * @param attempts how often it was tried; 0 if the registry could not be reached
   */
  record DeadLetter(
      String handler, Event event, List<Header> headers, int attempts, String reason) {
    public DeadLetter {
      headers = List.copyOf(headers);
    }
  }
}
