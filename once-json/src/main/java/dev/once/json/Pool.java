package dev.once.json;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;

/**
 * Keeps a few idle objects for the next call, without locks.
 *
 * <p>A {@link ThreadLocal} would keep one per thread, and virtual threads are many and short-lived.
 * Here a caller takes an object from any slot and returns it to any free slot. If all slots are
 * empty, the pool makes a new object; if all are full, it drops the returned object.
 */
final class Pool<T> {
  private final AtomicReferenceArray<T> slots;
  private final Supplier<T> make;

  Pool(int slots, Supplier<T> make) {
    this.slots = new AtomicReferenceArray<>(slots);
    this.make = make;
  }

  T take() {
    int start = start();
    for (int i = 0; i < slots.length(); i++) {
      int slot = (start + i) % slots.length();
      // A plain read first: an exchange would take the cache line from its owner in vain.
      if (slots.getPlain(slot) != null) {
        T idle = slots.getAndSet(slot, null);
        if (idle != null) {
          return idle;
        }
      }
    }
    return make.get();
  }

  void give(T idle) {
    int start = start();
    for (int i = 0; i < slots.length(); i++) {
      int slot = (start + i) % slots.length();
      if (slots.getPlain(slot) == null && slots.compareAndSet(slot, null, idle)) {
        return;
      }
    }
  }

  /** Returns the first slot to try. It differs between threads, so that they rarely contend. */
  private int start() {
    return (int) (Thread.currentThread().getId() % slots.length());
  }
}
