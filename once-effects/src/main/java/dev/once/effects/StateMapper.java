package dev.once.effects;

import dev.once.events.Event;
import dev.once.events.UnprocessableEventException;

/**
 * Says what an event does to the state of its aggregate. It depends on the event alone: events may
 * come twice, and an older one is ignored when a later one came first, so an event has to carry the
 * whole state.
 *
 * <p>An event without a change counts in the order like any other: if it comes before an older one,
 * the consumer ignores the older one. Where such events exist and the source does not keep the
 * order of an aggregate, give the consumer {@code SequenceRule.every}.
 */
@FunctionalInterface
public interface StateMapper {
  /**
   * Returns the change, the same for the same event.
   *
   * @throws UnprocessableEventException if the event can never become a state
   */
  StateChange map(Event event);
}
