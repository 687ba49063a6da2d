package dev.once.jdbc;

import dev.once.testkit.RecordIndexContract;
import dev.once.testkit.RecordStoreContract;
import dev.once.testkit.RecordUsageContract;
import org.junit.jupiter.api.AfterAll;

class JdbcRecordStoreTest extends RecordStoreContract
    implements DatabaseUnderTest, RecordIndexContract, RecordUsageContract {
  private static final TestDatabase DATABASE = new TestDatabase("contract");

  @Override
  public TestDatabase database() {
    return DATABASE;
  }

  @AfterAll
  static void close() {
    DATABASE.close();
  }
}
