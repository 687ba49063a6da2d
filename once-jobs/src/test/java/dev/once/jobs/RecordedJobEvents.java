package dev.once.jobs;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records events, and waits for more. */
final class RecordedJobEvents implements JobListener {
  private final List<JobEvent> events = new CopyOnWriteArrayList<>();

  @Override
  public void on(JobEvent event) {
    events.add(event);
  }

  <E extends JobEvent> List<E> all(Class<E> kind) {
    return events.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** Waits until {@code count} events of the kind were recorded. */
  <E extends JobEvent> List<E> await(Class<E> kind, int count) {
    return Polling.until(() -> all(kind), it -> it.size() >= count);
  }
}
