package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.testkit.Sql;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Real processes work on jobs while they are killed, paused past their leases and disconnected from
 * the database, which crashes now and then. {@code -Donce.chaos.seconds} sets the duration, and
 * {@code -Donce.chaos.seed} the order.
 */
@Isolated // It needs the processors.
class ChaosTest {
  private static final int SECONDS = Integer.getInteger("once.chaos.seconds", 10);
  private static final long SEED = Long.getLong("once.chaos.seed", System.nanoTime());
  private static final int PROCESSES = 3;
  private static final int PRODUCERS = 2;
  private static final Duration CALM = Duration.ofMinutes(2);
  private static final ChaosFaults.Plan PLAN =
      new ChaosFaults.Plan(
          EnumSet.allOf(ChaosFaults.Fault.class), ChaosHandlers.LEASE, Duration.ofMillis(900));

  private final EmbeddedPostgres server =
      // Ends the open transactions of processes that are disconnected for good.
      EmbeddedPostgres.builder().setting("idle_in_transaction_session_timeout", "10s").start();
  private final JobDatabase database = new JobDatabase(server, "chaos");
  private final ChaosWorld world = new ChaosWorld(new JobDatabase(server, "world"));
  private final ChaosHistory history = new ChaosHistory(database, world);
  private final List<ChaosProcess> processes = new ArrayList<>();
  private final AtomicInteger rolledBack = new AtomicInteger();

  @AfterEach
  void stop() throws IOException {
    for (ChaosProcess process : processes) {
      process.close();
    }
    world.database().close();
    database.close();
    server.close();
  }

  @Test
  void everyEffectHappensAndThoseInTheDatabaseHappenOnce() throws Exception {
    Random random = new Random(SEED);
    history.prepare();
    for (int i = 0; i < PROCESSES; i++) {
      processes.add(
          new ChaosProcess(
              ChaosWorker.class,
              server,
              (PGSimpleDataSource) database.direct(),
              (PGSimpleDataSource) world.database().direct()));
    }
    ChaosFaults chaos =
        new ChaosFaults(random, server, new Sql(world.database().direct()), processes, PLAN);

    produceWhile(random, () -> chaos.run(Duration.ofSeconds(SECONDS)));
    history.endCalls();
    requireNothingUncaught();
    Polling.until(CALM, history::unfinished, List::isEmpty);
    for (ChaosProcess process : processes) {
      assertThat(process.drain()).isZero();
    }
    requireNothingUncaught();

    System.out.printf(
        "chaos with seed %d for %d s: %d jobs, %d more rolled back, %s, %d reruns, %d late calls%n",
        SEED,
        SECONDS,
        history.jobs(),
        rolledBack.get(),
        chaos.done(),
        history.reruns(),
        world.late());
    history.check();
  }

  private void requireNothingUncaught() throws IOException {
    for (ChaosProcess process : processes) {
      process.requireNothingUncaught();
    }
  }

  /** An action that takes a while. */
  private interface Action {
    void run() throws Exception;
  }

  private void produceWhile(Random random, Action action) throws Exception {
    List<ChaosProducer> producers = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    try (HikariDataSource pool = JobDatabase.poolOf(database.direct());
        Jobs jobs = Jobs.over(pool)) {
      for (int i = 0; i < PRODUCERS; i++) {
        producers.add(
            new ChaosProducer("p" + i, new Random(random.nextLong()), jobs, pool, rolledBack));
        threads.add(new Thread(producers.get(i), "producer-" + i));
      }
      threads.forEach(Thread::start);
      try {
        action.run();
      } finally {
        producers.forEach(ChaosProducer::stop);
        for (Thread thread : threads) {
          thread.join();
        }
      }
    }
  }
}
