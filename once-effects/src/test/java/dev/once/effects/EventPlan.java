package dev.once.effects;

import dev.once.events.Event;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Events of some orders, and a delivery of them in which events come twice, late and out of order.
 *
 * @param delivered the events in the order in which they come
 */
record EventPlan(List<Event> events, List<Event> delivered) {
  private static final int ORDERS = 5;
  private static final int MAX_EVENTS = 12;
  private static final int MAX_COPIES = 3;

  /** How far an event may come too late or too early. */
  private static final int MAX_DISTANCE = 25;

  static EventPlan random(Random random) {
    List<Event> events = new ArrayList<>();
    String run = Integer.toString(random.nextInt(1 << 20), 36);
    for (int i = 0; i < ORDERS; i++) {
      String order = run + "-" + i;
      int count = 1 + random.nextInt(MAX_EVENTS);
      for (int sequence = 1; sequence <= count; sequence++) {
        boolean isDeletion = random.nextInt(4) == 0;
        events.add(
            isDeletion ? TestEvents.deleted(order, sequence) : TestEvents.changed(order, sequence));
      }
    }
    return new EventPlan(events, shuffle(events, random));
  }

  private static List<Event> shuffle(List<Event> events, Random random) {
    List<Delivery> deliveries = new ArrayList<>();
    for (int i = 0; i < events.size(); i++) {
      for (int copy = random.nextInt(MAX_COPIES); copy >= 0; copy--) {
        deliveries.add(new Delivery(events.get(i), i + random.nextInt(MAX_DISTANCE)));
      }
    }
    deliveries.sort(Comparator.comparingInt(Delivery::time));
    return deliveries.stream().map(Delivery::event).toList();
  }

  private record Delivery(Event event, int time) {}

  /** Returns the state of each order after all its events, in their order. */
  Map<String, Optional<String>> fold() {
    Map<String, Optional<String>> states = new HashMap<>();
    for (Event event : events) {
      Optional<String> state =
          TestEvents.map(event) instanceof StateChange.Put put
              ? Optional.of(put.text())
              : Optional.empty();
      states.put(event.aggregate().id(), state);
    }
    return states;
  }
}
