package dev.once.testkit;

import dev.once.EngineEvent;
import dev.once.OnceListener;
import java.util.ArrayList;
import java.util.List;

/** Records the events that the engine publishes; a test can wait for one. */
final class RecordedEvents implements OnceListener {
  private final List<EngineEvent> events = new ArrayList<>();

  @Override
  public synchronized void on(EngineEvent event) {
    events.add(event);
    notifyAll();
  }

  synchronized List<EngineEvent> all() {
    return List.copyOf(events);
  }

  List<Class<?>> types() {
    return all().stream().<Class<?>>map(Object::getClass).toList();
  }

  /** The last event, which is of this type. */
  synchronized <E extends EngineEvent> E last(Class<E> type) {
    return type.cast(events.get(events.size() - 1));
  }

  /** The first event of this type, which another thread may publish a little later. */
  synchronized <E extends EngineEvent> E await(Class<E> type) throws InterruptedException {
    Deadline deadline = Deadline.start();
    while (events.stream().noneMatch(type::isInstance)) {
      wait(deadline.leftMillis(() -> "got " + events + ", not " + type.getSimpleName()));
    }
    return events.stream().filter(type::isInstance).map(type::cast).findFirst().orElseThrow();
  }
}
