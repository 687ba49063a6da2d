package dev.once.jobs;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** Records events, and waits for more. */
final class RecordedJobEvents implements JobListener {
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private final List<JobEvent> events = new CopyOnWriteArrayList<>();

  @Override
  public void on(JobEvent event) {
    events.add(event);
    synchronized (this) {
      notifyAll();
    }
  }

  <E extends JobEvent> List<E> all(Class<E> kind) {
    return events.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** Waits until {@code count} events of the kind were recorded. */
  <E extends JobEvent> List<E> await(Class<E> kind, int count) throws InterruptedException {
    await(it -> all(kind).size() >= count, count + " of " + kind.getSimpleName());
    return all(kind);
  }

  private synchronized void await(Predicate<RecordedJobEvents> done, String what)
      throws InterruptedException {
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    while (!done.test(this)) {
      long millis = (deadline - System.nanoTime()) / 1_000_000;
      if (millis <= 0) {
        throw new AssertionError("waited in vain for " + what + ", got " + events);
      }
      wait(millis);
    }
  }
}
