package dev.once.bench;

import dev.once.events.EventData;
import java.io.Closeable;
import java.util.List;

/**
 * Carries events from PostgreSQL to Kafka, each at least once and those of an aggregate in order.
 * Every record has the event's id in the header {@link #ID} and its aggregate as the key.
 *
 * @param note the settings that matter
 * @param launch starts it, on tables that it creates if they are missing
 */
record EventRelay(String name, String note, Launch launch) {
  static final String ID = "ce_id";

  /** Starts to publish to a topic. */
  @FunctionalInterface
  interface Launch {
    Running start(String topic) throws Exception;
  }

  /** A relay that publishes until it is closed. */
  interface Running extends Closeable {
    /**
     * Writes events in one transaction, in the way that the relay's authors recommend.
     *
     * @return the time just before the commit
     */
    long write(List<EventData> events) throws Exception;
  }
}
