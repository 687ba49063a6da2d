package dev.once.client;

import java.util.concurrent.atomic.LongAdder;

/** Tells a listener what happens, and counts it. Thread-safe. */
final class QueueProgress {
  private final QueueListener listener;
  private final LongAdder enqueued = new LongAdder();
  private final LongAdder sent = new LongAdder();
  private final LongAdder unanswered = new LongAdder();
  private final LongAdder done = new LongAdder();
  private final LongAdder replayed = new LongAdder();
  private final LongAdder failed = new LongAdder();

  QueueProgress(QueueListener listener) {
    this.listener = listener;
  }

  QueueCounts counts() {
    return new QueueCounts(
        enqueued.sum(), sent.sum(), unanswered.sum(), done.sum(), replayed.sum(), failed.sum());
  }

  void enqueued(Operation operation) {
    enqueued.increment();
    tell(new QueueEvent.Enqueued(operation));
  }

  void sending(Operation operation, int attempt) {
    sent.increment();
    tell(new QueueEvent.Sending(operation, attempt));
  }

  void unanswered() {
    unanswered.increment();
  }

  void done(boolean isReplayed) {
    done.increment();
    if (isReplayed) {
      replayed.increment();
    }
  }

  void failed() {
    failed.increment();
  }

  void trouble(String what, Throwable cause) {
    tell(new QueueEvent.Trouble(what, cause));
  }

  void tell(QueueEvent event) {
    boolean wasInterrupted = Thread.currentThread().isInterrupted();
    try {
      listener.on(event);
    } catch (RuntimeException | Error e) {
      // A listener cannot stop the queue.
    }
    if (!wasInterrupted) {
      boolean unused = Thread.interrupted(); // Nor can it end the attempt that follows.
    }
  }
}
