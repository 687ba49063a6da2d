package dev.once.jdbc;

import dev.once.KeyRing;
import dev.once.Sealing;
import dev.once.testkit.RecordStoreContract;
import dev.once.testkit.RecordUsageContract;
import org.junit.jupiter.api.AfterAll;

/** Sealed outcomes keep every promise that plain ones do. */
class SealedRecordStoreTest extends RecordStoreContract
    implements DatabaseUnderTest, RecordUsageContract {
  private static final TestDatabase DATABASE =
      new TestDatabase("sealed", Sealing.with(KeyRing.of("k", new byte[KeyRing.KEY_BYTES])));

  @Override
  public TestDatabase database() {
    return DATABASE;
  }

  @AfterAll
  static void close() {
    DATABASE.close();
  }
}
