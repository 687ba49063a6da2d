package dev.once.bench;

import dev.once.events.Event;
import java.util.List;

/**
 * A way to handle events that a broker delivers at least once. All use the same pool and the same
 * number of threads, and write one row for each event.
 *
 * @param note what an event costs in commits, and what decides that it is new
 * @param launch starts a process of it, which remembers only what is in the database
 */
record EventHandler(String name, String note, Launch launch) {
  /** Starts a process. */
  @FunctionalInterface
  interface Launch {
    Running start();
  }

  /** A process that handles events. */
  interface Running extends AutoCloseable {
    /** Returns when all events have been handled or recognized. */
    void handle(List<Event> events) throws Exception;

    @Override
    void close();
  }
}
