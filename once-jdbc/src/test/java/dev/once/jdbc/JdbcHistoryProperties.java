package dev.once.jdbc;

import dev.once.spi.RecordStore;
import dev.once.testkit.RecordHistoryProperties;
import java.time.Duration;
import net.jqwik.api.lifecycle.AfterContainer;

class JdbcHistoryProperties extends RecordHistoryProperties {
  private static final TestDatabase DATABASE = new TestDatabase("history");
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

  @AfterContainer
  static void close() {
    DATABASE.close();
  }
}
