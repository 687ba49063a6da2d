package dev.once.testkit;

import dev.once.StoreException;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.RecordStore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Ways in which the thread of a caller makes a difference that it must not make. */
final class BrokenThreads {
  private BrokenThreads() {}

  /** Fails calls of interrupted threads, as a connection pool does. */
  static RecordStore failingInterrupted(LockableStore honest) {
    return new InterruptAverseStore(honest);
  }

  static RecordStore swallowingInterrupts(LockableStore honest) {
    return new InterceptedStore(honest) {
      @Override
      <R> R around(Call call, Supplier<R> answer) {
        R given = answer.get();
        Thread.interrupted();
        return given;
      }
    };
  }

  /** Fails the call that follows one of an interrupted thread. */
  static RecordStore spreadingInterrupts(LockableStore honest) {
    AtomicBoolean interrupted = new AtomicBoolean();
    return new InterceptedStore(honest) {
      @Override
      <R> R around(Call call, Supplier<R> answer) {
        if (interrupted.getAndSet(Thread.currentThread().isInterrupted())) {
          throw new StoreException("the connection was closed", null);
        }
        return answer.get();
      }
    };
  }

  /** Sends one claim at a time, each on the thread of its caller. */
  static RecordStore queueing(LockableStore honest) {
    ReentrantLock queue = new ReentrantLock(true);
    return new BrokenStore(honest) {
      @Override
      public Claim claim(ClaimRequest request) {
        queue.lock();
        try {
          LockSupport.parkNanos(100_000);
          return honest.claim(request);
        } finally {
          queue.unlock();
        }
      }
    };
  }

  /** Waits for foreign transactions: those on the key of a claim, or all of them. */
  static RecordStore waiting(LockableStore honest, boolean forAll) {
    return new BrokenStore(honest) {
      @Override
      public Claim claim(ClaimRequest request) {
        BooleanSupplier waits = forAll ? honest::hasLocks : () -> honest.isLocked(request.key());
        while (waits.getAsBoolean()) {
          LockSupport.parkNanos(1_000_000);
        }
        return honest.claim(request);
      }
    };
  }
}
