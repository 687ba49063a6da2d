package dev.once.events;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.testkit.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Random histories of a whole pipeline. A failure names its seed, and the command that runs that
 * history again. A build runs the same ones each time, so that it fails by its change. Before a
 * change to the log, the relay or the registry is merged, run {@code mvn test -pl once-events
 * -Dtest=PipelineSimulationTest -Donce.simulation.seeds=10000}.
 */
@Tag("any-jdk")
@Execution(ExecutionMode.CONCURRENT)
class PipelineSimulationTest {
  private static final int SEEDS = Integer.getInteger("once.simulation.seeds", 80);
  private static final int SEEDS_PER_SERVER = 1000;
  private static final int MAX_SERVERS = 2;

  @Test
  void everyEventOfTheLogTakesEffectInOrderInEachHandler() throws Exception {
    Long only = Long.getLong("once.simulation.seed");
    if (only != null) {
      runAll(only, 1, 1);
    } else {
      long first = Long.getLong("once.simulation.first", 1);
      runAll(first, SEEDS, Math.max(1, Math.min(MAX_SERVERS, SEEDS / SEEDS_PER_SERVER)));
    }
  }

  private static void runAll(long first, int seeds, int servers) throws Exception {
    AtomicInteger next = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(servers);
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < servers; i++) {
      running.add(threads.submit(() -> runOnServer(first, seeds, next)));
    }
    threads.shutdown();
    for (Future<?> it : running) {
      try {
        it.get();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof AssertionError failure) {
          throw failure;
        }
        throw e;
      }
    }
  }

  /**
   * Each has a server of its own: the log is read up to the oldest transaction of a server, so that
   * foreign ones would change what happens.
   */
  private static void runOnServer(long first, int seeds, AtomicInteger next) {
    try (EmbeddedPostgres server = EmbeddedPostgres.builder().setting("autovacuum", "off").start();
        HikariDataSource pool = pool(server)) {
      EventsSchema.named("sim").apply(pool);
      new Sql(pool)
          .execute(
              """
              CREATE TABLE effect (
                place bigserial, handler text, event_id text, aggregate text, sequence bigint);
              CREATE INDEX ON effect (handler)
              """);
      for (int i = next.getAndIncrement(); i < seeds; i = next.getAndIncrement()) {
        run(pool, first + i);
      }
    } catch (RuntimeException | Error e) {
      next.set(seeds); // The others need not go on.
      throw e;
    }
  }

  private static void run(HikariDataSource pool, long seed) {
    PipelineSimulation simulation = new PipelineSimulation(pool, seed, 0);
    try {
      simulation.run();
    } catch (AssertionError | RuntimeException e) {
      String command =
          "mvn test -pl once-events -Dtest=PipelineSimulationTest -Donce.simulation.seed=" + seed;
      throw new AssertionError(
          "a history failed; run it again with: %s%n%s"
              .formatted(command, String.join("\n", simulation.trace())),
          e);
    }
  }

  private static HikariDataSource pool(EmbeddedPostgres server) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(server.newDatabase("simulation"));
    config.setMaximumPoolSize(24);
    config.setMinimumIdle(0);
    return new HikariDataSource(config);
  }
}
