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
  private final ArrayDeque<JobLease> leases = new ArrayDeque<>();
  private boolean closed;

  synchronized void add(Collection<JobLease> more) {
    leases.addAll(more);
    notifyAll();
  }

  synchronized int size() {
    return leases.size();
  }

  /**
   * Waits for a job, and takes with it others of the same type, up to {@code batchSize} in all.
   * Returns an empty list when the buffer is closed.
   */
  synchronized List<JobLease> take(ToIntFunction<JobLease> batchSize) throws InterruptedException {
    while (leases.isEmpty() && !closed) {
      wait();
    }
    List<JobLease> taken = new ArrayList<>();
    if (closed) {
      return taken;
    }
    JobLease first = leases.removeFirst();
    taken.add(first);
    int max = batchSize.applyAsInt(first);
    Iterator<JobLease> rest = leases.iterator();
    while (taken.size() < max && rest.hasNext()) {
      JobLease next = rest.next();
      if (next.job().key().type().equals(first.job().key().type())) {
        taken.add(next);
        rest.remove();
      }
    }
    return taken;
  }

  /** Takes out the jobs that were claimed longer than {@code maxWait} ago. */
  synchronized List<JobLease> takeOlderThan(Duration maxWait) {
    List<JobLease> taken = new ArrayList<>();
    leases.removeIf(
        jobLease -> {
          boolean isOld = jobLease.age().compareTo(maxWait) > 0;
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
    List<JobLease> left = List.copyOf(leases);
    leases.clear();
    notifyAll();
    return left;
  }
}
