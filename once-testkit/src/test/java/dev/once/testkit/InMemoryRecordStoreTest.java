package dev.once.testkit;

import dev.once.InMemoryRecordStore;
import dev.once.spi.RecordStore;
import java.time.Duration;

/** The store that keeps records in this process keeps the contract. */
final class InMemoryRecordStoreTest extends RecordStoreContract
    implements RecordIndexContract, RecordUsageContract {
  private final TestClock clock = new TestClock();
  private final RecordStore store = new InMemoryRecordStore(clock);

  @Override
  public RecordStore store() {
    return store;
  }

  @Override
  public void elapse(Duration time) {
    clock.advance(time);
  }
}
