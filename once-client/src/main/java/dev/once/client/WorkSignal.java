package dev.once.client;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Tells senders that there may be something to send, and callers that an operation may have ended.
 * What is told between a look and the wait that follows it is not missed. Thread-safe.
 */
final class WorkSignal {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final Condition end = lock.newCondition();
  private long works;
  private long ends;
  private boolean isClosed;

  /** Wakes one sender, which wakes the next one if it finds something. */
  void work() {
    lock.lock();
    try {
      works++;
      work.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Wakes all that wait for the end of an operation, and a sender: another may be free. */
  void ended() {
    lock.lock();
    try {
      ends++;
      end.signalAll();
      works++;
      work.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Ends all waits, and those to come. */
  void close() {
    lock.lock();
    try {
      isClosed = true;
      work.signalAll();
      end.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return isClosed;
    } finally {
      lock.unlock();
    }
  }

  /** Returns what {@link #awaitWork} compares; read it before you look for work. */
  long works() {
    lock.lock();
    try {
      return works;
    } finally {
      lock.unlock();
    }
  }

  /** Returns what {@link #awaitEnd} compares; read it before you look for the end. */
  long ends() {
    lock.lock();
    try {
      return ends;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for work that was not there at {@code seen}, or for a time. */
  void awaitWork(long seen, Duration time) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = time.toNanos();
      while (works == seen && !isClosed && left > 0) {
        left = work.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the end of an operation after {@code seen}, or for a time. */
  void awaitEnd(long seen, Duration time) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = time.toNanos();
      while (ends == seen && !isClosed && left > 0) {
        left = end.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a time; less if the queue is closed. */
  void pause(Duration time) throws InterruptedException {
    long until = System.nanoTime() + time.toNanos();
    lock.lockInterruptibly();
    try {
      long left = time.toNanos();
      while (!isClosed && left > 0) {
        boolean unused = end.await(left, TimeUnit.NANOSECONDS);
        left = until - System.nanoTime();
      }
    } finally {
      lock.unlock();
    }
  }
}
