package dev.once.jdbc;

import dev.once.spi.RecordStore;
import dev.once.testkit.RecordStoreContract;
import org.junit.jupiter.api.Tag;

/**
 * Every promise of a store, with each claim and each completion in a batch with unrelated calls.
 */
@Tag("any-jdk")
abstract class BatchContractTest extends RecordStoreContract implements DatabaseUnderTest {
  private static final TestDatabase DATABASE = new TestDatabase("batches");

  private final boolean insertFirst;

  BatchContractTest(boolean insertFirst) {
    this.insertFirst = insertFirst;
  }

  @Override
  public TestDatabase database() {
    return DATABASE;
  }

  @Override
  public RecordStore store() {
    return new BatchedStore(DATABASE.store(), DATABASE.dataSource(), insertFirst);
  }

  @Override
  public RecordStore otherStore() {
    return new BatchedStore(DATABASE.otherStore(), DATABASE.dataSource(), insertFirst);
  }
}
