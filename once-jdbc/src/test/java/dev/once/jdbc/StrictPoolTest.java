package dev.once.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.spi.RecordStore;
import dev.once.testkit.RecordStoreContract;
import org.junit.jupiter.api.AfterAll;

/** The contract through a pool whose connections are SERIALIZABLE and do not commit themselves. */
class StrictPoolTest extends RecordStoreContract implements DatabaseUnderTest {
  private static final TestDatabase DATABASE = new TestDatabase("strict");
  private static final HikariDataSource STRICT_POOL = strictPool();
  private static final RecordStore STORE = JdbcRecordStore.over(STRICT_POOL);

  @Override
  public TestDatabase database() {
    return DATABASE;
  }

  @Override
  public RecordStore store() {
    return STORE;
  }

  @Override
  public RecordStore otherStore() {
    return STORE;
  }

  @AfterAll
  static void close() {
    STRICT_POOL.close();
    DATABASE.close();
  }

  private static HikariDataSource strictPool() {
    HikariConfig config = new HikariConfig();
    config.setDataSource(DATABASE.database());
    config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
    config.setAutoCommit(false);
    config.setMaximumPoolSize(16);
    return new HikariDataSource(config);
  }
}
