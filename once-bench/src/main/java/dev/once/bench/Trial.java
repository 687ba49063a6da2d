package dev.once.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * All contestants of all stores, and the effects that they guard. Effects have their own
 * connections, since some contestants hold theirs during the effect.
 */
final class Trial implements AutoCloseable {
  /** Long enough for the processes to start, and short enough to wait for its end. */
  static final Duration LEASE = Duration.ofSeconds(2);

  /** How long a caller that does not know about leases retries. */
  static final Duration PATIENCE = LEASE.plusSeconds(3);

  /**
   * The replies to all callers of some keys.
   *
   * @param replies key by key
   * @param happened what happened, in words
   */
  record Result(
      String situation,
      Contestant contestant,
      List<String> keys,
      List<List<Reply>> replies,
      String happened) {}

  private static final int CONNECTIONS = 24;
  private static final long PAUSE_NANOS = Duration.ofMillis(2).toNanos();

  private final BenchDatabase records;
  private final BenchDatabase writes;
  private final Contestants onPostgres;
  private final Contestants onRedis;

  Trial(ServerAddresses servers) {
    this.records = new BenchDatabase(servers.database(), CONNECTIONS);
    this.writes = new BenchDatabase(servers.database(), CONNECTIONS);
    this.onPostgres = Contestants.on(records, LEASE);
    this.onRedis = Contestants.on(new BenchRedis(servers.redis()), LEASE);
  }

  List<Contestant> contestants() {
    List<Contestant> all = new ArrayList<>(onPostgres.all());
    all.addAll(onRedis.all());
    return all;
  }

  /** Returns the contestants, and Once with effects that ignore its fence. */
  List<Contestant> owners() {
    List<Contestant> all = contestants();
    all.add(1, unfenced(all.get(0)));
    return all;
  }

  /** Once with an effect that ignores its fence. It promises less, so its aims do not apply. */
  private static Contestant unfenced(Contestant once) {
    return Contestant.of(
        once.name() + ", effect without the fence",
        Contestant.Role.BY_HAND,
        once.note(),
        (key, effect) -> once.call(key, fence -> effect.perform()),
        once.done());
  }

  EffectRows effects() {
    return new EffectRows(writes);
  }

  /**
   * Calls again while the key is busy, as a client that retries does.
   *
   * @param answer the result, if this call performs the effect
   */
  Reply call(Contestant contestant, String key, String answer, Duration patience) throws Exception {
    Contestant.Effect effect =
        fence -> {
          LockSupport.parkNanos(PAUSE_NANOS); // It takes a moment, as effects do.
          return effects().write(key, answer, fence);
        };
    long deadline = System.nanoTime() + patience.toNanos();
    Reply reply = contestant.call(key, effect);
    while (reply instanceof Reply.Busy && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(PAUSE_NANOS);
      reply = contestant.call(key, effect);
    }
    return reply;
  }

  @Override
  public void close() {
    onRedis.close();
    onPostgres.close();
    writes.close();
    records.close();
  }
}
