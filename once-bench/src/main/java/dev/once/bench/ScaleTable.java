package dev.once.bench;

import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.spi.Purge;
import dev.once.spi.RecordAdmin;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Once's table filled with completed records, like a day of traffic. Keys are computed from the
 * numbers of the records: half of them belong to one large tenant and half to a thousand small
 * ones, and values look like random UUIDs.
 */
final class ScaleTable implements LargeAgainstSmall.Tables {
  private static final int SMALL_TENANTS = 1000;
  private static final String SCOPE = "POST /orders";

  /** The batch of the starter's purge. */
  private static final int BATCH = 1000;

  /** The starter's pause after each batch, as a multiple of its duration. */
  private static final int REST = 4;

  /** More records than one thread can purge. */
  private static final long MAX_PURGED_PER_SECOND = 50_000;

  private final BenchDatabase database;
  private final OnceStore store;
  private final long rows;
  private long expired;

  ScaleTable(BenchDatabase database, long rows) {
    this.database = database;
    this.store = new OnceStore(JdbcRecordStore.over(database.pool()), Sample.TERMS.lease());
    this.rows = rows;
  }

  @Override
  public BenchDatabase database() {
    return database;
  }

  @Override
  public String name() {
    return "%,d records".formatted(rows);
  }

  /**
   * Inserts records 0 to {@code rows - 1}. Times rise with the numbers over the last 23 hours and
   * records are kept for 24, so none expires during the measurement.
   */
  void fill(Session session) throws SQLException {
    String age = "interval '23 h' * (1 - n / %d::float8)".formatted(rows);
    database.fill(session, "scale", rows, insert("md5(n::text)::uuid::text", age));
  }

  /** Returns SQL that inserts completed records; {@code key} and {@code age} are SQL, too. */
  private static String insert(String key, String age) {
    return """
        INSERT INTO once_record (
          tenant, scope, key, format, state, recovery, fingerprint, fence, attempts, created_at,
          lease_until, expires_at, correlation, status, headers, body_form, body_bytes, body)
        SELECT
          CASE WHEN n %% 2 = 0 THEN '%s' ELSE 'tenant-' || n / 2 %% %d END,
          '%s', %s, 1, 'completed', 'rerun', 'sha256:' || md5(n::text),
          extract(epoch FROM at) * 1000000, 1, at, at + interval '30 s', at + interval '24 h', '',
          201, 'Content-Type: application/json', 'raw', length(body), body
        FROM (
          SELECT n, now() - %s AS at,
            convert_to('{"order":' || n || ',"state":"created","total":"19.90"}', 'UTF8') AS body
          FROM generate_series(${first}, ${last}) AS n) AS numbered
        """
        .formatted(Sample.TENANT, SMALL_TENANTS, SCOPE, key, age);
  }

  void executeNew() throws Exception {
    Key key = new Key(tenant(anyNumber()), SCOPE, "new-" + Sample.newKey());
    store.call(key, Sample.FINGERPRINT, fence -> Sample.TEXT).require(Reply.Executed.class);
  }

  void replayAny() throws Exception {
    long number = anyNumber();
    String hash = Sample.md5(number);
    String value =
        new UUID(Long.parseUnsignedLong(hash, 0, 16, 16), Long.parseUnsignedLong(hash, 16, 32, 16))
            .toString();
    Key key = new Key(tenant(number), SCOPE, value);
    Fingerprint fingerprint = new Fingerprint("sha256", hash);
    store.call(key, fingerprint, fence -> Sample.TEXT).require(Reply.Replayed.class);
  }

  private long anyNumber() {
    return ThreadLocalRandom.current().nextLong(rows);
  }

  private static String tenant(long number) {
    return number % 2 == 0 ? Sample.TENANT : "tenant-" + number / 2 % SMALL_TENANTS;
  }

  /** Inserts so many expired records that every batch of a purge is full during a round. */
  void addExpired(Duration round) throws SQLException {
    long wanted = BATCH + MAX_PURGED_PER_SECOND * round.toMillis() / 1000;
    database.insertUnflushed(
        insert("'old-' || gen_random_uuid()", "interval '25 h' - interval '1 h' * random()"),
        1,
        wanted - expired);
    expired = wanted;
  }

  /** Runs a round while expired records are purged at the pace of the starter when it is behind. */
  Round whilePurging(Callable<Round> round) throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    CompletableFuture<Long> removed = CompletableFuture.supplyAsync(() -> purgeUntil(ended));
    try {
      return round.call();
    } finally {
      ended.set(true);
      expired -= removed.join();
    }
  }

  private long purgeUntil(AtomicBoolean ended) {
    long removed = 0;
    while (!ended.get()) {
      long began = System.nanoTime();
      int batch = ((RecordAdmin) store.store()).purge(Purge.ofEveryTenant(BATCH));
      if (batch < BATCH) {
        throw new IllegalStateException("nothing is left to purge, so the purge does not run");
      }
      removed += batch;
      LockSupport.parkNanos(REST * (System.nanoTime() - began));
    }
    return removed;
  }
}
