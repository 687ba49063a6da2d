package dev.once.jobs;

/**
 * A place for one job in a queue of this process, from before the job is enqueued until it is
 * leased. Its lease counts from {@code sentNanos}. Compared by identity.
 */
final class EagerReservation {
  private final QueueRunner runner;
  private final long sentNanos;
  private final int bytes;

  EagerReservation(QueueRunner runner, long sentNanos, int bytes) {
    this.runner = runner;
    this.sentNanos = sentNanos;
    this.bytes = bytes;
  }

  QueueRunner runner() {
    return runner;
  }

  long sentNanos() {
    return sentNanos;
  }

  /** Returns the size of the job's payload. */
  int bytes() {
    return bytes;
  }
}
