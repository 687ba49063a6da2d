package dev.once.docs;

import dev.once.InMemoryRecordStore;
import dev.once.spi.RecordStore;
import dev.once.testkit.RecordStoreContract;
import dev.once.testkit.TestClock;
import java.time.Duration;

// snippet: contract
class MyRecordStoreTest extends RecordStoreContract {
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
// end
