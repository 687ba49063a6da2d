package dev.once.bench;

import dev.once.events.Event;
import java.util.List;

/**
 * Handles events that a broker delivers at least once, and writes one row for each. It is started
 * like a process: it remembers only what is in the database.
 */
interface ConsumerProcess extends AutoCloseable {
  /** Returns when all events have been handled or recognized. */
  void handle(List<Event> events) throws Exception;

  @Override
  void close();
}
