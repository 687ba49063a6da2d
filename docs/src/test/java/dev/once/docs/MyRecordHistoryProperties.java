package dev.once.docs;

import dev.once.InMemoryRecordStore;
import dev.once.spi.RecordStore;
import dev.once.testkit.RecordHistoryProperties;
import dev.once.testkit.TestClock;
import java.time.Duration;

/** Random histories of the store of docs/guides/write-a-store.md. */
class MyRecordHistoryProperties extends RecordHistoryProperties {
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
