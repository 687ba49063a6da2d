package dev.once.bench;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The keys of many finished jobs: half of them are past their retention and due to be purged. */
record FinishedKeys(BenchDatabase database) {
  private static final long FILLED_AT_ONCE = 500_000;
  private static final String KEPT = "interval '24 hours'";

  void fill(long count, Progress progress) {
    for (long from = 0; from < count; from += FILLED_AT_ONCE) {
      progress.say("jobs-scale: %,d of %,d finished jobs".formatted(from, count));
      database.execute(
          """
          INSERT INTO once_job_done (
            part, tenant, queue, key, fingerprint, job, attempt, discarded, correlation,
            finished_at)
          SELECT (once_job_part(%1$s) + i %% 2) %% 4, '%2$s', 'bench', 'count:' || md5(i::text),
            'sha256:' || md5(i::text), -i, 1, false, '',
            clock_timestamp() - (i %% 2) * interval '36 hours'
          FROM generate_series(%3$d, %4$d) i
          """
              .formatted(KEPT, Sample.TENANT, from + 1, Math.min(count, from + FILLED_AT_ONCE)));
    }
    database.settle();
  }

  long bytes() throws SQLException {
    return database.number(
        """
        SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits
        WHERE inhparent = 'once_job_done'::regclass
        """);
  }

  /** Purges expired keys after half a second, while other threads work. */
  Purge purgeLater() {
    return new Purge(
        CompletableFuture.supplyAsync(
            this::purge, CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS)));
  }

  private long[] purge() {
    long started = System.nanoTime();
    try {
      long keys = database.number("SELECT once_job_purge(" + KEPT + ")");
      return new long[] {keys, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started)};
    } catch (SQLException e) {
      throw new IllegalStateException("the purge failed", e);
    }
  }

  /** A purge that is pending, running or done. */
  record Purge(CompletableFuture<long[]> answer) {
    long keys() {
      return answer.join()[0];
    }

    long millis() {
      return answer.join()[1];
    }
  }
}
