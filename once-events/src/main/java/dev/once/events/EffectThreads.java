package dev.once.events;

import dev.once.jdbc.internal.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The threads of effects. Each takes claimed events of an aggregate, or of several. */
final class EffectThreads {
  /** Tells a thread to end: claimed events are never none. */
  private static final List<EventLease> END = List.of();

  private final ConsumerContext context;
  private final EventEffectRunner runner;
  private final SettlementWriter settlements;
  private final BlockingQueue<List<EventLease>> claimed = new LinkedBlockingQueue<>();
  private final List<Thread> threads = new ArrayList<>();

  EffectThreads(
      ConsumerContext context, EventEffectRunner runner, SettlementWriter settlements, int count) {
    this.context = context;
    this.runner = runner;
    this.settlements = settlements;
    for (int i = 1; i <= count; i++) {
      threads.add(Threads.daemon(this::runUntilEnd, context.handler() + "-" + i));
    }
  }

  void start() {
    threads.forEach(Thread::start);
  }

  /** Adds the claimed events of an aggregate, in their order. */
  void add(List<EventLease> leases) {
    claimed.add(leases);
  }

  /** Has the threads end when everything that was added is settled. */
  void requestEnd() {
    threads.forEach(it -> claimed.add(END));
  }

  /** Returns whether all threads ended in time. */
  boolean awaitEnd(long deadlineNanos) throws InterruptedException {
    for (Thread thread : threads) {
      long millis = (deadlineNanos - System.nanoTime()) / 1_000_000;
      thread.join(Math.max(1, millis));
    }
    return threads.stream().noneMatch(Thread::isAlive);
  }

  private void runUntilEnd() {
    while (true) {
      try {
        List<List<EventLease>> batch = take();
        if (batch.isEmpty()) {
          return;
        }
        runGuarded(batch);
      } catch (InterruptedException e) {
        continue; // By an effect's late interrupt: nothing ends by it.
      } catch (Throwable e) { // No memory is left, for example: the next effects need this thread.
        context.trouble("running effects", e);
      }
      Thread.interrupted(); // The next effect must not see this one's interrupt.
    }
  }

  private void runGuarded(List<List<EventLease>> batch) {
    try {
      runner.run(batch);
    } catch (Throwable e) { // An exception cannot be printed, or no memory is left.
      batch.forEach(this::dropUnsettled);
      context.trouble("running effects", e);
    }
  }

  private List<List<EventLease>> take() throws InterruptedException {
    List<List<EventLease>> batch = new ArrayList<>(runner.batchSize());
    List<EventLease> next = claimed.take();
    int events = 0;
    while (next != null && !next.isEmpty()) {
      batch.add(next);
      events += next.size();
      next = events < runner.batchSize() ? claimed.poll() : null;
    }
    if (next != null && next.isEmpty() && !batch.isEmpty()) {
      claimed.add(END); // For this thread, when it comes back.
    }
    return batch;
  }

  private void dropUnsettled(List<EventLease> leases) {
    leases.stream().filter(it -> !it.isSettled()).forEach(settlements::lost);
  }
}
