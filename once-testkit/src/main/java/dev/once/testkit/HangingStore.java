package dev.once.testkit;

import dev.once.StoreException;
import dev.once.spi.RecordStore;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/** Blocks callers of {@code renew} for ever, like a network that drops packets. */
final class HangingStore extends InterceptedStore {
  private final CountDownLatch never = new CountDownLatch(1);

  HangingStore(RecordStore store) {
    super(store);
  }

  @Override
  <R> R around(Call call, Supplier<R> answer) {
    if (call == Call.RENEW) {
      hang();
    }
    return answer.get();
  }

  private void hang() {
    try {
      never.await();
    } catch (InterruptedException e) {
      throw new StoreException("interrupted while the store hangs", e); // When the engine closes.
    }
  }
}
