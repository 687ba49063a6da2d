package dev.once.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Key;
import dev.once.LeaseLostException;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.StoreException;
import dev.once.jdbc.TestDatabase.Isolation;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.Purge;
import dev.once.spi.RecordStore;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many owners work on a few keys with leases and retentions of milliseconds: they complete,
 * release, renew, act too late, disappear, purge, and do the same in transactions of every
 * isolation level, while operators reopen and expire records. A trigger logs each change of each
 * row, and the logged changes must keep the promises.
 */
@Tag("any-jdk")
class ConcurrentHistoryTest {
  private static final TestDatabase DATABASE = new TestDatabase("histories");
  private static final int OWNERS = 12;

  /** The long form is a matter of minutes: {@code -Donce.history.seconds=300}. */
  private static final int SECONDS = Integer.getInteger("once.history.seconds", 4);

  /** Nothing but the end of the record came closer: an operator expired it. */
  private static final String FORGOTTEN =
      """
      ((is_now).state = (was).state AND (is_now).lease_until = (was).lease_until
       AND (is_now).body IS NOT DISTINCT FROM (was).body
       AND (is_now).expires_at < (was).expires_at AND (is_now).expires_at <= at)
      """;

  /**
   * A record here lives for milliseconds. An INSERT that the server suspends may take its fence
   * before such a record is created, and end after it was purged. Records of an application live
   * for {@code Terms.MIN_RETENTION}, a second, at least.
   */
  private static final String OUTLIVED =
      """
      to_timestamp(fence / 1e6) < created_before
      AND at < to_timestamp(fence / 1e6) + interval '1 second'
      """;

  @BeforeAll
  static void writeDownEveryChange() {
    DATABASE.execute(
        """
        CREATE TABLE change (
          id bigserial, at timestamptz DEFAULT clock_timestamp(), key text, op text,
          was once_record, is_now once_record);
        CREATE FUNCTION write_down() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO change (key, op, was, is_now)
          VALUES (coalesce(NEW.key, OLD.key), TG_OP, OLD, NEW);
          RETURN NULL;
        END $$;
        CREATE TRIGGER write_down AFTER INSERT OR UPDATE OR DELETE ON once_record
          FOR EACH ROW EXECUTE FUNCTION write_down();
        """);
  }

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @Test
  void keepsThePromisesInEveryChangeOfEveryRow() throws Exception {
    ExecutorService owners = Executors.newFixedThreadPool(OWNERS);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < OWNERS; i++) {
        JdbcRecordStore store = i % 2 == 0 ? DATABASE.store() : DATABASE.otherStore();
        long seed = i;
        ends.add(owners.submit(() -> work(store, new SplittableRandom(seed))));
      }
      for (Future<?> end : ends) {
        end.get(SECONDS + 60, TimeUnit.SECONDS);
      }
    } finally {
      owners.shutdownNow();
    }

    assertThat(count("op = 'UPDATE' AND (is_now).fence > (was).fence")).isGreaterThan(100);
    assertNone(
        "granted while a lease ran", "(was).state = 'in_progress' AND (was).lease_until > at");
    assertNone("granted over an outcome", "(was).state = 'completed' AND (was).expires_at > at");
    assertThat(count("op = 'UPDATE' AND (is_now).fence < (was).fence")).as("fences fell").isZero();
    String sameGrant = "op = 'UPDATE' AND (is_now).fence = (was).fence AND ";
    assertThat(count(sameGrant + "(was).state = 'completed' AND NOT " + FORGOTTEN))
        .as("outcomes changed")
        .isZero();
    assertThat(count(sameGrant + "(was).state = 'open' AND NOT " + FORGOTTEN))
        .as("changed by an owner that had released the key or lost it")
        .isZero();
    assertThat(
            count(
                sameGrant
                    + "(was).state = 'in_progress' AND (was).lease_until > at AND "
                    + FORGOTTEN))
        .as("expired while a lease ran")
        .isZero();
    assertThat(count(sameGrant + FORGOTTEN)).as("expired by operators").isPositive();
    assertThat(count("op = 'DELETE' AND (was).expires_at > at")).as("purged alive").isZero();
    assertThat(
            DATABASE.query(
                """
                SELECT count(*) FROM (
                  SELECT at, (is_now).fence AS fence, lag((is_now).fence) OVER same_key AS before,
                         lag((is_now).created_at) OVER same_key AS created_before
                  FROM change WHERE op <> 'DELETE' WINDOW same_key AS (PARTITION BY key ORDER BY id)
                ) fences WHERE fence < before AND NOT (%s)
                """
                    .formatted(OUTLIVED)))
        .as("fences that fell across purges")
        .containsExactly("0");
  }

  private static void work(JdbcRecordStore store, SplittableRandom random) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (System.nanoTime() < end) {
      ClaimRequest request = anyRequest(random);
      try {
        switch (random.nextInt(10)) {
          case 0 -> store.purge(Purge.ofEveryTenant(1 + random.nextInt(5)));
          case 1 -> workInTransaction(request, random);
          case 2 -> store.reopen(request.key());
          case 3 -> store.expire(request.key());
          default -> workOn(store, request, random);
        }
      } catch (LeaseLostException | StoreException | SQLException e) {
        // Late changes and conflicts with other transactions are expected.
      }
    }
  }

  private static void workInTransaction(ClaimRequest request, SplittableRandom random)
      throws SQLException {
    Isolation isolation = List.of(Isolation.values()).get(random.nextInt(3));
    try (Connection connection = DATABASE.begin(isolation)) {
      RecordStore transaction = DATABASE.store().within(connection);
      if (transaction.claim(request) instanceof Claim.Granted grant) {
        pause(random.nextInt(5));
        if (random.nextInt(4) == 0) {
          transaction.release(grant);
        } else {
          transaction.complete(grant, outcomeOf(grant), request.retention());
        }
      }
      if (random.nextInt(3) == 0) {
        connection.rollback();
      } else {
        connection.commit();
      }
    }
  }

  private static void workOn(RecordStore store, ClaimRequest request, SplittableRandom random) {
    Claim claim = store.claim(request);
    if (claim instanceof Claim.Granted grant) {
      pause(random.nextInt(4) == 0 ? random.nextInt(100) : 0);
      switch (random.nextInt(6)) {
        case 0 -> {} // disappears
        case 1 -> store.release(grant);
        case 2 -> store.renew(grant, Duration.ofMillis(random.nextInt(50)));
        default -> store.complete(grant, outcomeOf(grant), request.retention());
      }
    } else if (claim instanceof Claim.Replay replay) {
      assertThat(replay.outcome().payload()).isInstanceOf(Payload.Bytes.class);
    }
  }

  private static ClaimRequest anyRequest(SplittableRandom random) {
    return ClaimRequest.of(
            new Key("acme", "orders", "key-" + random.nextInt(5)),
            Duration.ofMillis(20 + random.nextInt(60)),
            Duration.ofMillis(30 + random.nextInt(100)))
        .withMaxAttempts(1000);
  }

  private static Outcome outcomeOf(Claim.Granted grant) {
    byte[] text = ("by fence " + grant.fence()).getBytes(StandardCharsets.UTF_8);
    return Outcome.completed(Payload.of(text));
  }

  private static void pause(int millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** Asserts that no grant took over a record that was in such a state at that moment. */
  private static void assertNone(String what, String state) {
    assertThat(count("op = 'UPDATE' AND (is_now).fence > (was).fence AND " + state))
        .as(what)
        .isZero();
  }

  private static int count(String condition) {
    String sql = "SELECT count(*) FROM change WHERE " + condition;
    return Integer.parseInt(DATABASE.query(sql).get(0));
  }
}
