package dev.once.jdbc;

import dev.once.spi.RecordStore;
import dev.once.testkit.StoreUnderTest;
import java.time.Duration;

/** How the contracts reach the store on PostgreSQL. */
interface DatabaseUnderTest extends StoreUnderTest {
  TestDatabase database();

  @Override
  default RecordStore store() {
    return database().store();
  }

  @Override
  default RecordStore otherStore() {
    return database().otherStore();
  }

  @Override
  default void elapse(Duration time) {
    database().elapse(time);
  }
}
