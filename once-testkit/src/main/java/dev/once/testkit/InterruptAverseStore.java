package dev.once.testkit;

import dev.once.StoreException;
import dev.once.spi.RecordStore;
import java.util.function.Supplier;

/** Refuses threads whose interrupt status is set, as connection pools do. */
final class InterruptAverseStore extends InterceptedStore {
  InterruptAverseStore(RecordStore store) {
    super(store);
  }

  @Override
  <R> R around(Call call, Supplier<R> answer) {
    if (Thread.currentThread().isInterrupted()) {
      throw new StoreException(call + " by an interrupted thread", null);
    }
    return answer.get();
  }
}
