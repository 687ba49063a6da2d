package dev.once.testkit;

import dev.once.InMemoryRecordStore;
import dev.once.spi.RecordStore;
import java.time.Duration;

/**
 * The histories of a store with the current flaw. Not a test: {@link ContractTeethTest} runs it.
 */
final class FlawedHistories extends RecordHistoryProperties {
  private final TestClock clock = new TestClock();
  private final RecordStore store =
      Flaw.current.in(new LockableStore(new InMemoryRecordStore(clock)), clock);

  @Override
  public RecordStore store() {
    return store;
  }

  @Override
  public void elapse(Duration time) {
    clock.advance(time);
  }
}
