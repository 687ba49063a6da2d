package dev.once.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.KeyRing;
import dev.once.Sealing;
import dev.once.spi.RecordStore;
import dev.once.testkit.RecordStoreContract;
import dev.once.testkit.RecordUsageContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/**
 * The contract with sealed outcomes, through a pool whose connections are SERIALIZABLE and do not
 * commit themselves. Neither of the two affects the other, so one run tests both.
 */
@Tag("any-jdk")
class StrictSealedStoreTest extends RecordStoreContract
    implements DatabaseUnderTest, RecordUsageContract {
  private static final Sealing SEALING = Sealing.with(KeyRing.of("k", new byte[KeyRing.KEY_BYTES]));
  private static final TestDatabase DATABASE = new TestDatabase("strict");
  private static final HikariDataSource STRICT_POOL = strictPool();
  private static final RecordStore STORE = JdbcRecordStore.over(STRICT_POOL, SEALING);
  private static final RecordStore OTHER_STORE = JdbcRecordStore.over(STRICT_POOL, SEALING);

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
    return OTHER_STORE;
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
