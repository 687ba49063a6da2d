package dev.once.claims;

import dev.once.spi.RecordStore;
import org.junit.jupiter.api.AfterAll;

class PostgresClaimsTest extends ClaimsContract {
  private static final ClaimsDatabase DATABASE = ClaimsDatabase.shared("contract");

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @Override
  RecordStore store() {
    return DATABASE.store();
  }
}
