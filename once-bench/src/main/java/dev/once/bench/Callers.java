package dev.once.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;

/** Threads that do the same work concurrently, each one call after the other. */
record Callers(int count) {
  /** Above this number callers run on virtual threads, where the JVM has them. */
  private static final int MAX_PLATFORM_THREADS = 64;

  private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

  /** Returns the number of callers, and the kind of thread if there are many. */
  String label() {
    if (count <= MAX_PLATFORM_THREADS) {
      return Integer.toString(count);
    }
    return count + (areVirtual() ? " (virtual threads)" : " (platform threads)");
  }

  private boolean areVirtual() {
    return count > MAX_PLATFORM_THREADS
        && Runtime.version().feature() >= FIRST_WITH_VIRTUAL_THREADS;
  }

  /** Uses reflection because Java 17 has to load this class, too. */
  private ExecutorService threads() {
    if (!areVirtual()) {
      return Executors.newFixedThreadPool(count);
    }
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("every Java from 21 on has virtual threads", e);
    }
  }

  /** Repeats a call on all callers until {@code time} is over; a failing call fails the round. */
  Round repeat(Session.Call call, Duration time) throws Exception {
    CyclicBarrier start = new CyclicBarrier(count + 1);
    ExecutorService threads = threads();
    try {
      List<Future<long[]>> callers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        callers.add(threads.submit(() -> latencies(call, time, start)));
      }
      start.await();
      long begin = System.nanoTime();
      List<long[]> latencies = new ArrayList<>();
      for (Future<long[]> caller : callers) {
        latencies.add(caller.get());
      }
      return Round.timed(latencies, System.nanoTime() - begin);
    } finally {
      threads.shutdownNow();
    }
  }

  private static long[] latencies(Session.Call call, Duration time, CyclicBarrier start)
      throws Exception {
    LongStream.Builder latencies = LongStream.builder();
    start.await();
    long now = System.nanoTime();
    long end = now + time.toNanos();
    while (now - end < 0) {
      call.perform();
      long done = System.nanoTime();
      latencies.add(done - now);
      now = done;
    }
    return latencies.build().toArray();
  }
}
