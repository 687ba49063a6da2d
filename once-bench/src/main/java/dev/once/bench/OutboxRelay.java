package dev.once.bench;

import dev.once.events.EventData;
import java.io.Closeable;
import java.util.List;

/**
 * Carries events from PostgreSQL to Kafka until it is closed, each at least once and those of an
 * aggregate in order. Every record has the event's id in the header {@link #ID} and its aggregate
 * as the key.
 */
interface OutboxRelay extends Closeable {
  String ID = "ce_id";

  /** Starts to publish to a topic, from tables that it creates if they are missing. */
  interface Launch {
    OutboxRelay start(String topic) throws Exception;
  }

  /**
   * Writes events in one transaction, in the way that the relay's authors recommend.
   *
   * @return the time just before the commit
   */
  long write(List<EventData> events) throws Exception;
}
