package dev.once.jdbc;

import dev.once.spi.RecordStore;
import dev.once.testkit.RecordStoreContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;

class JdbcRecordStoreTest extends RecordStoreContract {
  private static final TestDatabase DATABASE = new TestDatabase("contract");
  private static final RecordStore STORE = DATABASE.store();
  private static final RecordStore OTHER_STORE = DATABASE.otherStore();

  @Override
  public RecordStore store() {
    return STORE;
  }

  @Override
  public RecordStore otherStore() {
    return OTHER_STORE;
  }

  @Override
  public void elapse(Duration time) {
    DATABASE.elapse(time);
  }

  @AfterAll
  static void close() {
    DATABASE.close();
  }
}
