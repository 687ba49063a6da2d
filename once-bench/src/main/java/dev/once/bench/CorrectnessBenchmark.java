package dev.once.bench;

import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.JdbcSchema;
import dev.once.testkit.TestRedis;
import java.util.List;
import java.util.function.Supplier;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Counts lost, duplicate and wrong results of every contestant: under a race, after a pause, and
 * after a crash.
 */
final class CorrectnessBenchmark implements Benchmark {
  private static final int RACED_KEYS = 200;
  private static final int OWNED_KEYS = 3;

  private final EmbeddedPostgres server;
  private final Supplier<TestRedis> redis;
  private final int racedKeys;

  CorrectnessBenchmark(EmbeddedPostgres server, Supplier<TestRedis> redis) {
    this(server, redis, RACED_KEYS);
  }

  CorrectnessBenchmark(EmbeddedPostgres server, Supplier<TestRedis> redis, int racedKeys) {
    this.server = server;
    this.redis = redis;
    this.racedKeys = racedKeys;
  }

  @Override
  public Report run(Settings settings, Progress progress) throws Exception {
    PGSimpleDataSource database = server.newDatabase("correctness");
    JdbcSchema.apply(database);
    try (TestRedis running = redis.get()) {
      ServerAddresses places = new ServerAddresses(database, running.uri());
      try (Trial trial = new Trial(places)) {
        trial.effects().create();
        return new Report(
            "Leases of %d s; %d keys per contestant in a race, %d whose owner is paused or killed. %s."
                .formatted(Trial.LEASE.toSeconds(), racedKeys, OWNED_KEYS, Machine.describe()),
            List.of(table(trial, places, progress)));
      }
    }
  }

  private Table table(Trial trial, ServerAddresses places, Progress progress) throws Exception {
    Table table = TrialResult.table();
    for (Contestant contestant : trial.contestants()) {
      progress.say("correctness, callers at once: " + contestant.name());
      new RaceTrial(trial.effects(), racedKeys).run(contestant).addTo(table);
    }
    progress.say("correctness: an owner that is paused");
    try (OwnerTrial owners = new OwnerTrial(places, trial, OWNED_KEYS)) {
      owners.pause().forEach(it -> it.addTo(table));
    }
    progress.say("correctness: an owner that is killed");
    try (OwnerTrial owners = new OwnerTrial(places, trial, OWNED_KEYS)) {
      owners.kill().forEach(it -> it.addTo(table));
    }
    return table;
  }
}
