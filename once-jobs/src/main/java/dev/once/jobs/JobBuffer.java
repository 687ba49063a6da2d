package dev.once.jobs;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.function.ToIntFunction;

/** Claimed jobs that wait for a slot. Thread-safe. */
final class JobBuffer {
  private final ArrayDeque<JobLease> holds = new ArrayDeque<>();
  private boolean closed;

  synchronized void add(Collection<JobLease> more) {
    holds.addAll(more);
    notifyAll();
  }

  synchronized int size() {
    return holds.size();
  }

  /**
   * Waits for a job, and takes with it others of the same type, up to {@code batchSize} in all.
   * Returns an empty list when the buffer is closed.
   */
  synchronized List<JobLease> take(ToIntFunction<JobLease> batchSize) throws InterruptedException {
    while (holds.isEmpty() && !closed) {
      wait();
    }
    List<JobLease> taken = new ArrayList<>();
    if (closed) {
      return taken;
    }
    JobLease first = holds.removeFirst();
    taken.add(first);
    int max = batchSize.applyAsInt(first);
    Iterator<JobLease> rest = holds.iterator();
    while (taken.size() < max && rest.hasNext()) {
      JobLease next = rest.next();
      if (next.job().key().type().equals(first.job().key().type())) {
        taken.add(next);
        rest.remove();
      }
    }
    return taken;
  }

  /** Takes out the jobs that were claimed longer than {@code patience} ago. */
  synchronized List<JobLease> takeOlderThan(Duration patience) {
    List<JobLease> taken = new ArrayList<>();
    holds.removeIf(
        jobLease -> {
          boolean isOld = jobLease.age().compareTo(patience) > 0;
          if (isOld) {
            taken.add(jobLease);
          }
          return isOld;
        });
    return taken;
  }

  /** Wakes the threads that wait for a job, and returns the jobs that have not started. */
  synchronized List<JobLease> close() {
    closed = true;
    List<JobLease> left = List.copyOf(holds);
    holds.clear();
    notifyAll();
    return left;
  }
}
