package dev.once.testkit;

import dev.once.InMemoryRecordStore;
import dev.once.spi.RecordStore;
import java.time.Duration;

class InMemoryOnceTest extends OnceContract {
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
