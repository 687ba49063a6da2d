package dev.once.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What all contestants of all stores are put through: their records, and the effects that they are
 * there to guard. Effects have connections of their own, since some contestants keep theirs
 * meanwhile.
 */
final class Trial implements AutoCloseable {
  /** Long enough to start with, and short enough to wait for its end. */
  static final Duration LEASE = Duration.ofSeconds(2);

  private static final int CONNECTIONS = 24;

  private final BenchDatabase records;
  private final BenchDatabase writes;
  private final Contestants onPostgres;
  private final Contestants onRedis;

  Trial(Places places) {
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

  /** Those, and what Once is worth to effects that ignore its fence. */
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
