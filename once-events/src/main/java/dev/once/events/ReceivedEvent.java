package dev.once.events;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event as a source received it.
 *
 * @param headers those of its message that are no part of the event: a {@link DeadLetterSink} gets
 *     them with the event, if it is given up
 */
public record ReceivedEvent(Event event, List<Header> headers) {
  public ReceivedEvent {
    headers = List.copyOf(headers);
  }

  /** A header of a message; a name may come more than once. */
  @SuppressWarnings("ArrayRecordComponent") // Passed on, never compared.
  public record Header(String name, byte @Nullable [] value) {}
}
