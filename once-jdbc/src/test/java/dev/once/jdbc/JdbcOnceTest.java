package dev.once.jdbc;

import dev.once.testkit.OnceContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

@Execution(ExecutionMode.CONCURRENT) // It waits for leases.
@ResourceLock("JdbcOnceTest")
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
