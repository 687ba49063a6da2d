package dev.once.events;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * A broker that keeps the order per aggregate only. It may store a batch twice, or a part of it, or
 * all without confirming it.
 */
final class SimulatedBroker {
  static final int PARTITIONS = 2;

  private final Random random;

  /** Whether it refuses the producers of earlier processes, as Kafka's transactions do. */
  private final boolean isFenced;

  private final List<List<Event>> partitions = new ArrayList<>();
  private final Map<String, Event> stored = new HashMap<>();
  private final Map<Aggregate, Long> lastFirst = new HashMap<>();
  private boolean isHealed;
  private int producer;

  SimulatedBroker(Random random) {
    this.random = random;
    this.isFenced = random.nextBoolean();
    for (int i = 0; i < PARTITIONS; i++) {
      partitions.add(new ArrayList<>());
    }
  }

  /** Returns the number of a producer; earlier ones may be refused from now on. */
  int takeOver() {
    return ++producer;
  }

  void publish(int by, List<Event> events) {
    if (isFenced && by != producer) {
      throw new PublishException("another producer has taken over", null);
    }
    int fault = isHealed ? 9 : random.nextInt(10);
    if (fault == 0) {
      throw new PublishException("nothing was stored", null);
    }
    List<Event> shuffled = shuffleAggregates(events);
    if (fault == 1) {
      shuffled.subList(0, random.nextInt(shuffled.size())).forEach(this::store);
      throw new PublishException("a part was stored", null);
    }
    shuffled.forEach(this::store);
    if (fault == 2) {
      shuffled.forEach(this::store);
    } else if (fault == 3) {
      throw new PublishException("the confirmation was lost", null);
    }
  }

  /** Stores an event again that an operator redrives. */
  void storeAgain(String id) {
    store(Objects.requireNonNull(stored.get(id), "it was delivered"));
  }

  private void store(Event event) {
    if (stored.putIfAbsent(event.id(), event) == null) {
      Long before = lastFirst.put(event.aggregate(), event.sequence());
      if (before != null && before > event.sequence()) {
        throw new AssertionError(event + " was published first after sequence " + before);
      }
    }
    partitions.get(Math.floorMod(event.aggregate().hashCode(), PARTITIONS)).add(event);
  }

  boolean has(Event event) {
    return stored.containsKey(event.id());
  }

  int size(int partition) {
    return partitions.get(partition).size();
  }

  Event record(int partition, int offset) {
    return partitions.get(partition).get(offset);
  }

  void heal() {
    isHealed = true;
  }

  private List<Event> shuffleAggregates(List<Event> events) {
    Map<Aggregate, List<Event>> byAggregate = new LinkedHashMap<>();
    events.forEach(
        it -> byAggregate.computeIfAbsent(it.aggregate(), key -> new ArrayList<>()).add(it));
    List<List<Event>> left = new ArrayList<>(byAggregate.values());
    List<Event> shuffled = new ArrayList<>();
    while (!left.isEmpty()) {
      List<Event> next = left.get(random.nextInt(left.size()));
      shuffled.add(next.remove(0));
      left.removeIf(List::isEmpty);
    }
    return shuffled;
  }
}
