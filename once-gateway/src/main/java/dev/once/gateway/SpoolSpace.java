package dev.once.gateway;

import java.util.concurrent.atomic.AtomicLong;

/** The room for all bodies that are kept in files. */
final class SpoolSpace {
  private final long maxBytes;
  private final AtomicLong used = new AtomicLong();

  SpoolSpace(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /**
   * Takes room for bytes that are about to be written.
   *
   * @throws NoSpaceException if there is not enough
   */
  void take(long bytes) {
    long before = used.get();
    while (before + bytes <= maxBytes) {
      if (used.compareAndSet(before, before + bytes)) {
        return;
      }
      before = used.get();
    }
    throw new NoSpaceException("the spool of %d bytes is full".formatted(maxBytes));
  }

  void give(long bytes) {
    used.addAndGet(-bytes);
  }

  long used() {
    return used.get();
  }

  /** Returns whether a body of this length has a chance now. */
  boolean fits(long bytes) {
    return used.get() + bytes <= maxBytes;
  }
}
