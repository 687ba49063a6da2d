package dev.once.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The threads that claim operations and send them. */
final class QueueSenders {
  private static final Duration MAX_IDLE = Duration.ofSeconds(1);
  private static final Duration MIN_IDLE = Duration.ofMillis(1);
  private static final Duration PURGE_INTERVAL = Duration.ofHours(1);
  private static final Duration FAILURE_PAUSE = Duration.ofSeconds(1);

  private final QueueFile file;
  private final String contract;
  private final OperationSender sender;
  private final Connectivity connectivity;
  private final QueueProgress progress;
  private final WorkSignal signal;
  private final Object claiming = new Object();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean isPaused;
  private volatile long purgedNanos = System.nanoTime() - PURGE_INTERVAL.toNanos();

  QueueSenders(
      QueueFile file,
      String contract,
      OperationSender sender,
      Connectivity connectivity,
      QueueProgress progress,
      WorkSignal signal) {
    this.file = file;
    this.contract = contract;
    this.sender = sender;
    this.connectivity = connectivity;
    this.progress = progress;
    this.signal = signal;
  }

  void start(int count) {
    for (int i = 1; i <= count; i++) {
      Thread thread = new Thread(this::run, "once-queue-" + i);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  boolean isPaused() {
    return isPaused;
  }

  /** When this has returned, nothing is claimed any more: a claim that is under way is awaited. */
  void pause(boolean isPaused) {
    synchronized (claiming) {
      this.isPaused = isPaused;
    }
  }

  /** Ends the threads; returns whether the caller was interrupted meanwhile. */
  boolean stop(Duration patience) {
    signal.close();
    threads.forEach(Thread::interrupt);
    boolean isInterrupted = false;
    for (Thread thread : threads) {
      try {
        if (!thread.equals(Thread.currentThread())) { // A listener may close the queue.
          TimeUnit.NANOSECONDS.timedJoin(thread, patience.toNanos());
        }
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    return isInterrupted;
  }

  private void run() {
    while (!signal.isClosed()) {
      try {
        boolean unused = Thread.interrupted(); // By the application; a queue that closes ends.
        step();
      } catch (InterruptedException e) {
        // Closed, which the loop sees.
      } catch (Throwable e) { // A full disk, for example: nothing else would send.
        failed(e);
      }
    }
  }

  private void step() throws InterruptedException {
    purge();
    long seen = signal.works();
    if (!sendNext()) {
      signal.awaitWork(seen, idle());
    }
  }

  /** Must not throw, because that would end the thread. */
  private void failed(Throwable failure) {
    try {
      if (!signal.isClosed()) {
        progress.trouble("sending operations", failure);
        signal.pause(FAILURE_PAUSE);
      }
    } catch (Throwable e) {
      // Closed, which the loop sees, or out of memory once more.
    }
  }

  private Duration idle() {
    if (isPaused) {
      return MAX_IDLE;
    }
    Set<String> blocked = connectivity.blocked();
    return Stream.of(connectivity.untilNextTry(), file.claims().nextDue(blocked))
        .flatMap(Optional::stream)
        .map(it -> it.plus(MIN_IDLE))
        .filter(it -> it.compareTo(MAX_IDLE) < 0)
        .min(Duration::compareTo)
        .orElse(MAX_IDLE);
  }

  private void purge() {
    if (System.nanoTime() - purgedNanos > PURGE_INTERVAL.toNanos()) {
      purgedNanos = System.nanoTime();
      file.ended().purge();
    }
  }

  /** Returns whether there was something to send. */
  private boolean sendNext() {
    Optional<Claim> claim = claim();
    claim.ifPresent(
        it -> {
          try {
            signal.work(); // There may be more.
            sender.handle(it);
          } finally {
            connectivity.released(it.target(), it.operation().id());
          }
        });
    return claim.isPresent();
  }

  /** One claim at a time, so that a single operation tries a server that does not answer. */
  private Optional<Claim> claim() {
    synchronized (claiming) {
      if (isPaused) {
        return Optional.empty();
      }
      Optional<Claim> claim = file.claims().claim(sender.lease(), contract, connectivity.blocked());
      claim.ifPresent(it -> connectivity.trying(it.target(), it.operation().id()));
      return claim;
    }
  }
}
