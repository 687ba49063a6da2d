package dev.once.testkit;

import dev.once.InMemoryRecordStore;
import dev.once.spi.RecordStore;
import java.time.Duration;
import java.util.List;

/** The contract of a store with the current flaw. Not a test: {@link ContractTeethTest} runs it. */
final class FlawedContract extends RecordStoreContract {
  private final TestClock clock = new TestClock();
  private final LockableStore honest = new LockableStore(new InMemoryRecordStore(clock));
  private final RecordStore store = Flaw.current.in(honest, clock);

  @Override
  public RecordStore store() {
    return store;
  }

  @Override
  public void elapse(Duration time) {
    clock.advance(time);
  }

  @Override
  public List<ForeignTransaction> foreignTransactions() {
    return honest.transactions();
  }
}
