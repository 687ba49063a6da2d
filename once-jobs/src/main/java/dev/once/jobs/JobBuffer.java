package dev.once.jobs;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

/**
 * Claimed jobs that wait for a slot. Thread-safe.
 *
 * <p>Threads are woken one after the other, each by the one before if that left jobs behind. So few
 * jobs do not wake all threads.
 *
 * <p>Jobs that may share a transaction wait while {@link #MAX_SHORT_BATCHES} transactions of such
 * jobs run, unless there are enough for a full one: when one of those ends, its thread takes all
 * that have arrived meanwhile. A transaction that takes longer than {@link #SHORT_NANOS} is not
 * waited for.
 */
final class JobBuffer {
  private static final int MAX_SHORT_BATCHES = 2;
  private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private static final long IDLE_NANOS = TimeUnit.DAYS.toNanos(1);

  private final LongSupplier nanoTime;
  private final ArrayDeque<JobLease> leases = new ArrayDeque<>();

  /** When threads that run jobs of one transaction took them, the oldest first. */
  private final Map<Thread, Long> batches = new LinkedHashMap<>();

  private int waiting;

  /** Whether a thread that waited was notified and does not run yet. */
  private boolean isWaking;

  /** Whether a thread waits for the end of a short transaction, and not for more jobs. */
  private boolean isWatching;

  private boolean closed;

  JobBuffer(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  synchronized void add(Collection<JobLease> more) {
    leases.addAll(more);
    wakeOne();
  }

  private void wakeOne() {
    if (waiting > 0 && !isWaking && !isWatching && !leases.isEmpty()) {
      isWaking = true;
      notify();
    }
  }

  synchronized int size() {
    return leases.size();
  }

  /**
   * Waits for a job, and takes with it others of the same type, up to {@code batchSize} in all.
   * Returns an empty list when the buffer is closed.
   */
  synchronized List<JobLease> take(ToIntFunction<JobLease> batchSize) throws InterruptedException {
    batches.remove(Thread.currentThread());
    for (long pause = pauseNanos(batchSize); pause > 0; pause = pauseNanos(batchSize)) {
      boolean watches = pause < IDLE_NANOS;
      waiting++;
      isWatching |= watches;
      try {
        TimeUnit.NANOSECONDS.timedWait(this, pause);
      } finally {
        waiting--;
        isWatching &= !watches;
        isWaking = false; // After an interrupt, too: then one thread too many may be woken.
      }
    }
    if (closed) {
      return List.of();
    }
    JobLease first = leases.getFirst();
    int max = batchSize.applyAsInt(first);
    if (max > 1) {
      batches.put(Thread.currentThread(), nanoTime.getAsLong());
    }
    // All memory is taken before the first job leaves the buffer: the lease of a job that no thread
    // runs would be renewed for ever.
    List<JobLease> taken = new ArrayList<>(Math.min(max, leases.size()));
    Iterator<JobLease> all = leases.iterator();
    while (taken.size() < max && all.hasNext()) {
      JobLease next = all.next();
      if (next.job().key().type().equals(first.job().key().type())) {
        taken.add(next);
        all.remove();
      }
    }
    wakeOne();
    return taken;
  }

  /** Returns how long to wait before the first job may be taken, if nothing changes. */
  private long pauseNanos(ToIntFunction<JobLease> batchSize) {
    if (closed) {
      return 0;
    }
    if (leases.isEmpty()) {
      return IDLE_NANOS;
    }
    int max = batchSize.applyAsInt(leases.getFirst());
    if (max == 1 || leases.size() >= max || batches.size() < MAX_SHORT_BATCHES) {
      return 0;
    }
    long now = nanoTime.getAsLong();
    long[] left =
        batches.values().stream()
            .mapToLong(begin -> begin + SHORT_NANOS - now)
            .filter(nanos -> nanos > 0)
            .toArray();
    return left.length < MAX_SHORT_BATCHES ? 0 : left[0];
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
