package dev.once.jobs;

import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Closes the batches of the jobs that this process runs, and looks at all open batches from time to
 * time: their last member may have finished in a process that stopped, or was removed.
 *
 * <p>A look may read the dead rows of all members that have finished, as long as some transaction
 * stays open. So however many members finish, all their batches are looked at together, and then
 * not again for four times as long as that took.
 */
final class BatchMaintenance implements AutoCloseable {
  private static final Duration MIN_PAUSE = Duration.ofMillis(10);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(1);
  private static final int PAUSE_PER_LOOK = 4;

  /** How often open batches of other processes are looked at, at least. */
  private static final Duration MAX_INTERVAL = Duration.ofSeconds(30);

  private final BatchCloser closer;
  private final Duration interval;
  private final JobListener listener;
  private final SupervisedThread thread;
  private final Set<Long> finished = ConcurrentHashMap.newKeySet();
  private final Signal wake = new Signal();
  private volatile boolean closed;

  // Used only on its thread.
  private long lookedNanos = System.nanoTime();
  private long reached;

  BatchMaintenance(BatchCloser closer, Duration pollInterval, JobListener listener) {
    this.closer = closer;
    this.listener = listener;
    this.interval = pollInterval.compareTo(MAX_INTERVAL) < 0 ? pollInterval : MAX_INTERVAL;
    this.thread =
        new SupervisedThread(
            "once-jobs-batches", "closing batches", this::runUntilClosed, () -> closed, listener);
  }

  void start() {
    thread.start();
  }

  /** Looks soon whether {@code batch} can be closed: a member of it has been settled. */
  void memberSettled(OptionalLong batch) {
    if (batch.isPresent() && finished.add(batch.getAsLong())) {
      wake.signal();
    }
  }

  @Override
  public void close() {
    closed = true;
    wake.signal();
    thread.interrupt();
  }

  private void runUntilClosed() throws InterruptedException {
    while (!closed) {
      long started = System.nanoTime();
      try {
        look();
      } catch (RuntimeException | Error e) {
        SupervisedThread.report(listener, "closing batches", e);
      }
      pause(System.nanoTime() - started);
      wake.await(interval);
    }
  }

  private static void pause(long lookNanos) throws InterruptedException {
    long nanos = Math.min(MAX_PAUSE.toNanos(), PAUSE_PER_LOOK * lookNanos);
    TimeUnit.NANOSECONDS.sleep(Math.max(MIN_PAUSE.toNanos(), nanos));
  }

  private void look() {
    Set<Long> batches = new HashSet<>();
    // Taken before the look: a member that is settled during it causes another one.
    finished.removeIf(batches::add);
    try {
      if (System.nanoTime() - lookedNanos >= interval.toNanos()) {
        lookedNanos = System.nanoTime();
        batches.addAll(openBatches());
      }
      closer.close(batches);
    } catch (RuntimeException | Error e) {
      finished.addAll(batches); // For the next look.
      throw e;
    }
  }

  /** Returns the next open batches, and starts again after the last ones. */
  private Set<Long> openBatches() {
    Set<Long> open = closer.openAfter(reached);
    reached = open.size() < OpenBatchesStatement.LIMIT ? 0 : Collections.max(open);
    return open;
  }
}
