package dev.once.bench;

import dev.once.bench.IdempotentReceiver.Effect;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * All contestants of all stores, and the effects that they guard. An effect inserts a row; if it
 * gets a fence, it inserts none if a later owner of its key has been there. Effects have their own
 * connections, since some contestants hold theirs during the effect.
 */
final class KeyTrial implements AutoCloseable {
  static final int CONNECTIONS = 24;

  /** Long enough for the processes to start, and short enough to wait for its end. */
  static final Duration LEASE = Duration.ofSeconds(2);

  /** How long a caller that does not know about leases retries. */
  static final Duration PATIENCE = LEASE.plusSeconds(3);

  private static final long PAUSE_NANOS = Duration.ofMillis(2).toNanos();
  private static final String RAISE_FENCE =
      """
      INSERT INTO effect_fence (key, fence) VALUES (?, ?)
      ON CONFLICT (key) DO UPDATE SET fence = excluded.fence
      WHERE effect_fence.fence <= excluded.fence
      """;

  private final BenchDatabase records;
  private final BenchDatabase effects;
  private final Receivers onPostgres;
  private final Receivers onRedis;

  KeyTrial(Supplier<BenchDatabase> databases, String redis) {
    this.records = databases.get();
    this.effects = databases.get();
    this.onPostgres = Receivers.on(records, LEASE);
    this.onRedis = Receivers.on(new BenchRedis(redis), LEASE);
  }

  List<Contestant<IdempotentReceiver>> contestants() {
    List<Contestant<IdempotentReceiver>> all = new ArrayList<>(onPostgres.all());
    all.addAll(onRedis.all());
    return all;
  }

  /** Returns the contestants, and Once with effects that ignore its fence. */
  List<Contestant<IdempotentReceiver>> owners() {
    List<Contestant<IdempotentReceiver>> all = contestants();
    all.add(1, unfenced(all.get(0)));
    return all;
  }

  /** Once with an effect that ignores its fence. It promises less, so its aims do not apply. */
  private static Contestant<IdempotentReceiver> unfenced(Contestant<IdempotentReceiver> once) {
    return new Contestant<>(
        once.name() + ", effect without the fence",
        once.note(),
        IdempotentReceiver.of(
            (key, effect) -> once.work().call(key, fence -> effect.perform()), once.work().done()));
  }

  void createTables() {
    effects.execute("CREATE TABLE effect (key text NOT NULL, answer text NOT NULL)");
    effects.execute("CREATE INDEX effect_key ON effect (key)");
    effects.execute("CREATE TABLE effect_fence (key text PRIMARY KEY, fence bigint NOT NULL)");
  }

  String perform(String key, String answer, OptionalLong fence) throws SQLException {
    effects.inTransaction(
        it -> {
          if (fence.isPresent()
              && BenchDatabase.update(it, RAISE_FENCE, key, fence.getAsLong()) == 0) {
            throw new IllegalStateException("a later owner of the key has been here");
          }
          BenchDatabase.update(it, "INSERT INTO effect (key, answer) VALUES (?, ?)", key, answer);
        });
    return answer;
  }

  List<Long> executions(List<String> keys) {
    String count = "SELECT count(*) FROM effect WHERE key = ?";
    return keys.stream().map(it -> effects.number(count, it)).toList();
  }

  /**
   * Calls again while the key is busy, as a client that retries does.
   *
   * @param answer the result, if this call performs the effect
   */
  Reply call(Contestant<IdempotentReceiver> contestant, String key, String answer)
      throws Exception {
    Effect effect =
        fence -> {
          LockSupport.parkNanos(PAUSE_NANOS); // It takes a moment, as effects do.
          return perform(key, answer, fence);
        };
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    Reply reply = contestant.work().call(key, effect);
    while (reply instanceof Reply.Busy && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(PAUSE_NANOS);
      reply = contestant.work().call(key, effect);
    }
    return reply;
  }

  @Override
  public void close() {
    onRedis.close();
    onPostgres.close();
    effects.close();
    records.close();
  }
}
