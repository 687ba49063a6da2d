package dev.once.events;

import dev.once.OnceException;
import java.time.Duration;
import java.util.List;

/** The broker to which a relay publishes. */
public interface EventPublisher {
  /**
   * Called when this process has become the one that publishes, before its first event and after
   * every failure. From then on the broker should refuse what an earlier process still publishes.
   */
  default void takeOver() {}

  /**
   * Publishes events and returns when the broker has stored them all, each aggregate's in order.
   *
   * @throws OnceException if some may not be stored; the relay publishes all of them again
   * @throws InterruptedException if the thread is interrupted; some may be stored
   */
  void publish(List<Event> events, Duration timeout) throws InterruptedException;
}
