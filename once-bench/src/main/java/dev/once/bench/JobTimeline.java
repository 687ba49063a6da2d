package dev.once.bench;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Records when each of some new jobs was committed and started, and how often it ran. Thread-safe.
 */
final class JobTimeline {
  private static final AtomicLong NEXT_JOB = new AtomicLong();

  private final long first;
  private final AtomicLongArray committed;
  private final AtomicLongArray started;
  private final AtomicIntegerArray runs;
  private final CountDownLatch missing;

  JobTimeline(int count) {
    this.first = NEXT_JOB.getAndAdd(count);
    this.committed = new AtomicLongArray(count);
    this.started = new AtomicLongArray(count);
    this.runs = new AtomicIntegerArray(count);
    this.missing = new CountDownLatch(count);
  }

  int count() {
    return runs.length();
  }

  /** Returns some of the jobs, by their position among all. */
  List<Long> jobs(int from, int to) {
    return LongStream.range(first + from, first + to).boxed().toList();
  }

  /** Returns the same effect, with each run recorded. */
  JobQueue.Effect around(JobQueue.Effect effect) {
    return (job, lender) -> {
      int place = Math.toIntExact(job - first);
      started.compareAndSet(place, 0, System.nanoTime());
      effect.perform(job, lender);
      if (runs.incrementAndGet(place) == 1) {
        missing.countDown();
      }
    };
  }

  /** Must be called when the commit that enqueues {@code jobs} has returned. */
  void committed(List<Long> jobs) {
    long now = System.nanoTime();
    jobs.forEach(it -> committed.set(Math.toIntExact(it - first), now));
  }

  void awaitAll(Duration patience) throws InterruptedException {
    if (!missing.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new IllegalStateException(
          "%d of %d jobs have not run within %s".formatted(missing.getCount(), count(), patience));
    }
  }

  /** Checks that no job ran twice, as nothing was interrupted. */
  void requireOnce() {
    long repeated = IntStream.range(0, count()).filter(it -> runs.get(it) != 1).count();
    if (repeated > 0) {
      throw new IllegalStateException(
          "%d of %d jobs did not run exactly once".formatted(repeated, count()));
    }
  }

  long firstStart() {
    return IntStream.range(0, count()).mapToLong(started::get).min().orElseThrow();
  }

  /**
   * Returns the times from commit to start, of all jobs but the first ones. A job that started
   * before its commit had returned has waited for 0.
   */
  long[] waits(int skipped) {
    return IntStream.range(skipped, count())
        .mapToLong(it -> Math.max(0, started.get(it) - committed.get(it)))
        .toArray();
  }
}
