package dev.once.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The setup that tests all contestants of all stores: their records, and the effects that they
 * guard. Effects have their own connections, since some contestants hold theirs during the effect.
 */
final class Trial implements AutoCloseable {
  /** Long enough for the processes to start, and short enough to wait for its end. */
  static final Duration LEASE = Duration.ofSeconds(2);

  private static final int CONNECTIONS = 24;

  private final BenchDatabase records;
  private final BenchDatabase writes;
  private final Contestants onPostgres;
  private final Contestants onRedis;

  Trial(ServerAddresses places) {
    this.records = new BenchDatabase(places.database(), CONNECTIONS);
    this.writes = new BenchDatabase(places.database(), CONNECTIONS);
    this.onPostgres = Contestants.on(records, LEASE);
    this.onRedis = Contestants.on(new BenchRedis(places.redis()), LEASE);
  }

  List<Contestant> contestants() {
    List<Contestant> all = new ArrayList<>(onPostgres.all());
    all.addAll(onRedis.all());
    return all;
  }

  /** Returns the contestants, and Once with effects that ignore its fence. */
  List<Contestant> owners() {
    List<Contestant> all = contestants();
    all.add(1, new UnfencedEffect(all.get(0)));
    return all;
  }

  EffectRows effects() {
    return new EffectRows(writes);
  }

  @Override
  public void close() {
    onRedis.close();
    onPostgres.close();
    writes.close();
    records.close();
  }
}
