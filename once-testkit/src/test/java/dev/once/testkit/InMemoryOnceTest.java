package dev.once.testkit;

import dev.once.InMemoryRecordStore;
import dev.once.spi.RecordStore;
import java.time.Duration;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

@Execution(ExecutionMode.CONCURRENT) // It waits for leases.
@ResourceLock("InMemoryOnceTest")
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
