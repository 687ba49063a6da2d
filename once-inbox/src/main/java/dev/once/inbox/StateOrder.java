package dev.once.inbox;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The states that objects of a provider pass through.
 *
 * @param object locates the object's id in an event
 * @param state locates the state that the object has reached
 * @param states all states, the earliest first
 */
record StateOrder(FieldSource object, FieldSource state, List<String> states) {
  StateOrder {
    object = object.usable(ItemId.MAX_CHARS);
    states = List.copyOf(states);
    if (states.size() < 2 || new HashSet<>(states).size() < states.size()) {
      throw new IllegalArgumentException("there must be 2 or more different states, got " + states);
    }
  }

  /** Returns the state that the event reports for its object; empty if it reports none. */
  Optional<Item.Rank> rank(Delivery delivery, JsonNode json) {
    int height = 1 + states.indexOf(state.in(delivery, json).orElse(""));
    return height == 0
        ? Optional.empty()
        : object.in(delivery, json).map(it -> new Item.Rank(it, height));
  }
}
