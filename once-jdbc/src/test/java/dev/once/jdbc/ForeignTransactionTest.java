package dev.once.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Codec;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.StoreException;
import dev.once.jdbc.TestDatabase.Isolation;
import java.sql.Connection;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Regression tests: each one failed before the interleaving in it was fixed. */
@Timeout(120)
class ForeignTransactionTest {
  private static final int KEYS = 60;
  private static final TestDatabase DATABASE = new TestDatabase("foreign");
  private static final Once ONCE = Once.over(DATABASE.store());

  @AfterAll
  static void close() {
    ONCE.close();
    DATABASE.close();
  }

  /** The risk: the store waits for each of many keys in an open transaction, of a restore say. */
  @Test
  void answersOthersSoonWhileManyKeysAreInAForeignTransaction() throws Exception {
    String run = UUID.randomUUID().toString();
    ExecutorService callers = Executors.newCachedThreadPool();
    for (int i = 0; i < 20; i++) { // Warm.
      ONCE.run(request(run, "warm" + i), execution -> "x");
    }
    try (Connection foreign = DATABASE.begin(Isolation.READ_COMMITTED);
        Statement statement = foreign.createStatement()) {
      statement.execute(
          """
          INSERT INTO once_record (
            tenant, scope, key, format, state, recovery, fingerprint, fence, attempts, created_at,
            lease_until, expires_at, correlation, status, headers, body_form, body_bytes)
          SELECT 'acme', '%s', 'k' || i, 1, 'completed', 'rerun', 'none:', 1, 1, now(), now(),
            now() + interval '1 hour', '', 0, '', 'none', 0 FROM generate_series(1, %d) AS i
          """
              .formatted(run, KEYS));
      for (int i = 1; i <= KEYS; i++) {
        String key = "k" + i;
        var unused = callers.submit(() -> ONCE.run(request(run, key), execution -> "x"));
      }
      while (DATABASE.query("SELECT 1 FROM pg_locks WHERE NOT granted").isEmpty()) {
        Thread.onSpinWait();
      }
      long worst = 0;
      for (int i = 0; i < 5; i++) {
        long begin = System.nanoTime();
        ONCE.run(request(run, "unrelated" + i), execution -> "x");
        worst = Math.max(worst, System.nanoTime() - begin);
      }
      foreign.rollback();
      callers.shutdownNow();
      assertThat(TimeUnit.NANOSECONDS.toMillis(worst)).isLessThan(2000);
    }
  }

  /** The completion of a key without a record is an insert, which could wait for a foreign one. */
  @Test
  void doesNotWaitForAForeignInsertWhenItCompletes() throws Exception {
    String run = UUID.randomUUID().toString();
    ExecutorService callers = Executors.newCachedThreadPool();
    try (Connection foreign = DATABASE.begin(Isolation.READ_COMMITTED);
        Statement statement = foreign.createStatement();
        Connection connection = DATABASE.begin(Isolation.READ_COMMITTED)) {
      Future<?> joined =
          callers.submit(
              () ->
                  ONCE.joining(DATABASE.store().within(connection))
                      .run(
                          request(run, "k"),
                          execution -> {
                            statement.execute(
                                """
                                INSERT INTO once_record (
                                  tenant, scope, key, format, state, recovery, fingerprint, fence,
                                  attempts, created_at, lease_until, expires_at, correlation, status,
                                  headers, body_form, body_bytes)
                                VALUES ('acme', '%s', 'k', 1, 'completed', 'rerun', 'none:', 1, 1,
                                  now(), now(), now() + interval '1 hour', '', 0, '', 'none', 0)
                                """
                                    .formatted(run));
                            return "x";
                          }));
      assertThatThrownBy(() -> joined.get(5, TimeUnit.SECONDS))
          .hasCauseInstanceOf(StoreException.class)
          .hasMessageContaining("lock timeout");
      foreign.rollback();
      connection.rollback();
      callers.shutdownNow();
    }
  }

  private static Request<@Nullable String> request(String scope, String key) {
    return Request.of(new Key("acme", scope, key), Codec.text());
  }
}
