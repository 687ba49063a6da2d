package dev.once.effects;

import dev.once.events.Event;
import dev.once.events.UnprocessableEventException;
import java.util.Optional;

/** Says which request an event makes. */
@FunctionalInterface
public interface ApiRequestMapper {
  /**
   * Returns the request, the same for the same event: an API refuses another request under a key
   * that it knows. Empty if the event makes none.
   *
   * @throws UnprocessableEventException if the event can never become a request
   */
  Optional<ApiRequest> map(Event event);
}
