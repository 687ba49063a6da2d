package dev.once.jobs;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.function.ToIntFunction;

/** Claimed jobs that wait for a slot. Thread-safe. */
final class Buffer {
  private final ArrayDeque<Hold> holds = new ArrayDeque<>();
  private boolean closed;

  synchronized void add(Collection<Hold> more) {
    holds.addAll(more);
    notifyAll();
  }

  synchronized int size() {
    return holds.size();
  }

  /**
   * Waits for a job, and takes with it others of the same type, as many as {@code together} allows.
   * Empty when the buffer is closed.
   */
  synchronized List<Hold> take(ToIntFunction<Hold> together) throws InterruptedException {
    while (holds.isEmpty() && !closed) {
      wait();
    }
    List<Hold> taken = new ArrayList<>();
    if (closed) {
      return taken;
    }
    Hold first = holds.removeFirst();
    taken.add(first);
    int max = together.applyAsInt(first);
    Iterator<Hold> rest = holds.iterator();
    while (taken.size() < max && rest.hasNext()) {
      Hold next = rest.next();
      if (next.job().key().type().equals(first.job().key().type())) {
        taken.add(next);
        rest.remove();
      }
    }
    return taken;
  }

  /** Takes out whoever has waited longer than {@code patience}. */
  synchronized List<Hold> takeOlderThan(Duration patience) {
    List<Hold> taken = new ArrayList<>();
    holds.removeIf(
        hold -> {
          boolean isOld = hold.age().compareTo(patience) > 0;
          if (isOld) {
            taken.add(hold);
          }
          return isOld;
        });
    return taken;
  }

  /** Sends whoever waits for a job away, and returns the jobs that nobody has begun. */
  synchronized List<Hold> close() {
    closed = true;
    List<Hold> left = List.copyOf(holds);
    holds.clear();
    notifyAll();
    return left;
  }
}
