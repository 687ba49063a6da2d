package dev.once.testkit;

import dev.once.spi.RecordStore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Interrupts its caller as soon as the second claim is answered. */
final class InterruptingStore extends InterceptedStore {
  private final AtomicInteger claims = new AtomicInteger();

  InterruptingStore(RecordStore store) {
    super(store);
  }

  @Override
  <R> R around(Call call, Supplier<R> answer) {
    R given = answer.get();
    if (call == Call.CLAIM && claims.incrementAndGet() == 2) {
      Thread.currentThread().interrupt();
    }
    return given;
  }
}
