package dev.once.jdbc;

import dev.once.spi.RecordStore;
import dev.once.testkit.OnceContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;

class JdbcOnceTest extends OnceContract {
  private static final TestDatabase DATABASE = new TestDatabase("engine");
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
