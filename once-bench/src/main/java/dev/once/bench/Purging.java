package dev.once.bench;

import dev.once.jdbc.JdbcRecordStore;
import dev.once.spi.Purge;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * Removes expired records, batch after batch, at the pace of the starter's purge when it is behind.
 * Before each round it inserts enough expired records that every batch is full.
 */
final class Purging implements BackgroundWork {
  /** The same as in the starter. */
  private static final int BATCH = 1000;

  /** The same as in the starter: the pause after each batch, as a multiple of its duration. */
  private static final int REST = 4;

  /** More records than one thread can remove. */
  private static final long MAX_PER_SECOND = 50_000;

  private static final String INSERT =
      """
      INSERT INTO once_record (
        tenant, scope, key, format, state, recovery, fingerprint, fence, attempts, created_at,
        lease_until, expires_at, correlation, status, headers, body_form, body_bytes, body)
      SELECT
        CASE WHEN n %% 2 = 0 THEN '%s' ELSE 'tenant-' || n / 2 %% %d END,
        '%s', 'old-' || gen_random_uuid(), 1, 'completed', 'rerun', 'sha256:' || md5(n::text),
        1, 1, at, at + interval '30 s', at + interval '24 h', '',
        201, 'Content-Type: application/json', 'raw', 2, '{}'
      FROM (
        SELECT n, now() - interval '25 h' - interval '1 h' * random() AS at
        FROM generate_series(1, ?) AS n) AS numbered
      """
          .formatted(Sample.TENANT, ScaleKeys.SMALL_TENANTS, ScaleKeys.SCOPE);

  private final BenchDatabase database;
  private final JdbcRecordStore store;
  private final long stockForARound;
  private long stock;
  private long purged;

  Purging(BenchDatabase database, Duration round) {
    this.database = database;
    this.store = JdbcRecordStore.over(database.pool());
    // Warm-ups are longer than rounds.
    this.stockForARound = BATCH + MAX_PER_SECOND * Race.WARM_UP_ROUNDS * round.toMillis() / 1000;
  }

  /** Returns the number of records removed so far. */
  long purged() {
    return purged;
  }

  @Override
  public Running start() {
    fill();
    Worker worker = new Worker();
    CompletableFuture<Long> removed = CompletableFuture.supplyAsync(worker::purge);
    return () -> {
      worker.ended = true;
      long count = removed.join();
      stock -= count;
      purged += count;
    };
  }

  private void fill() {
    try (Connection connection = database.pool().getConnection();
        Statement session = connection.createStatement();
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      session.execute("SET synchronous_commit = off");
      insert.setLong(1, stockForARound - stock);
      stock += insert.executeUpdate();
      session.execute("RESET synchronous_commit");
    } catch (SQLException e) {
      throw new IllegalStateException("cannot put expired records there", e);
    }
  }

  private final class Worker {
    private volatile boolean ended;

    long purge() {
      long removed = 0;
      while (!ended) {
        long began = System.nanoTime();
        int batch = store.purge(Purge.ofEveryTenant(BATCH));
        if (batch < BATCH) {
          throw new IllegalStateException("nothing is left to purge, so the purge does not run");
        }
        removed += batch;
        LockSupport.parkNanos(REST * (System.nanoTime() - began));
      }
      return removed;
    }
  }
}
