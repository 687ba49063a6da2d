package dev.once.examples.pipeline;

import dev.once.events.Aggregate;
import dev.once.events.AppendCondition;
import dev.once.events.EventData;
import dev.once.events.EventKind;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * A change that a client asks for.
 *
 * @param eventId the id of the event that it becomes, so that a retry is recognised
 * @param type the type of that event
 * @param state the whole state of the aggregate after it
 * @param expectedSequence the last sequence that the client has seen; 0 for a new aggregate
 */
record Command(
    String eventId,
    Aggregate aggregate,
    String type,
    ObjectNode state,
    long expectedSequence,
    String correlationId) {

  EventData event() {
    return EventData.of(eventId, aggregate, type, state.toString())
        .withKind(EventKind.COMMAND)
        .withSource("/v1")
        .withMetadata(Map.of("correlation_id", correlationId));
  }

  AppendCondition condition() {
    return AppendCondition.expecting(expectedSequence);
  }

  /** Returns whether it changes an aggregate that exists. */
  boolean isChange() {
    return expectedSequence > 0;
  }
}
