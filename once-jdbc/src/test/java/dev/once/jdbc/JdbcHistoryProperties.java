package dev.once.jdbc;

import dev.once.testkit.RecordHistoryProperties;
import net.jqwik.api.lifecycle.AfterContainer;

class JdbcHistoryProperties extends RecordHistoryProperties implements DatabaseUnderTest {
  private static final TestDatabase DATABASE = new TestDatabase("history");

  @Override
  public TestDatabase database() {
    return DATABASE;
  }

  @AfterContainer
  static void close() {
    DATABASE.close();
  }
}
