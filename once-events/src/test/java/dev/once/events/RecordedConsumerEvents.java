package dev.once.events;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what a consumer reported. */
final class RecordedConsumerEvents implements ConsumerListener {
  private final List<ConsumerEvent> events = new CopyOnWriteArrayList<>();

  @Override
  public void on(ConsumerEvent event) {
    events.add(event);
  }

  <E extends ConsumerEvent> List<E> all(Class<E> type) {
    return events.stream().filter(type::isInstance).map(type::cast).toList();
  }
}
