package dev.once.events;

import dev.once.testkit.Sql;
import java.time.Duration;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

/**
 * The time of a simulated history. The server's clock cannot be set, so the times in the history's
 * rows move back instead.
 */
final class SimulationClock implements LongSupplier {
  private final DataSource dataSource;
  private final String history;
  private long nanos;

  /**
   * @param history the prefix of the names of aggregates, relays and logs
   */
  SimulationClock(DataSource dataSource, String history) {
    this.dataSource = dataSource;
    this.history = history;
  }

  @Override
  public long getAsLong() {
    return nanos;
  }

  void elapse(Duration time) {
    nanos += time.toNanos();
    new Sql(dataSource)
        .execute(
            """
            UPDATE sim.processed_event SET
              lease_until = lease_until - s.t, next_attempt_at = next_attempt_at - s.t
            FROM (SELECT interval '%1$d us') s (t)
            WHERE aggregate >= 'order/%2$s' AND aggregate < 'order/%2$s~';
            UPDATE sim.relay SET lease_until = lease_until - interval '%1$d us'
            WHERE name = '%2$s';
            UPDATE sim.sequence_reservation SET expires_at = expires_at - interval '%1$d us'
            WHERE log = '%2$s'
            """
                .formatted(time.toNanos() / 1000, history));
  }
}
