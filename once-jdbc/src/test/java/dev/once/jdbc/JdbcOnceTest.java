package dev.once.jdbc;

import dev.once.testkit.OnceContract;
import org.junit.jupiter.api.AfterAll;

class JdbcOnceTest extends OnceContract implements DatabaseUnderTest {
  private static final TestDatabase DATABASE = new TestDatabase("engine");

  @Override
  public TestDatabase database() {
    return DATABASE;
  }

  @AfterAll
  static void close() {
    DATABASE.close();
  }
}
