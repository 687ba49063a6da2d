package dev.once.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jobs.ChaosFaults;
import dev.once.jobs.ChaosProcess;
import dev.once.jobs.Jobs;
import dev.once.jobs.JobsSchema;
import dev.once.testkit.Sql;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Real processes run workflows while they are killed, paused past their leases and disconnected
 * from the database, which crashes now and then. {@code -Donce.chaos.seconds} sets the duration,
 * and {@code -Donce.chaos.seed} the order.
 */
@Isolated // It needs the processors.
class WorkflowChaosTest {
  private static final int SECONDS = Integer.getInteger("once.chaos.seconds", 15);
  private static final long SEED = Long.getLong("once.chaos.seed", System.nanoTime());
  private static final int PROCESSES = 3;
  private static final int PRODUCERS = 2;
  private static final Duration CALM = Duration.ofMinutes(4);
  private static final ChaosFaults.Plan PLAN =
      new ChaosFaults.Plan(
          EnumSet.complementOf(EnumSet.of(ChaosFaults.Fault.SILENCE)),
          ChaosWorker.LEASE,
          Duration.ofMillis(1400));

  private final EmbeddedPostgres server =
      // Ends the open transactions of processes that are disconnected for good.
      EmbeddedPostgres.builder().setting("idle_in_transaction_session_timeout", "10s").start();
  private final DataSource database = server.newDatabase("chaos");
  private final DataSource world = server.newDatabase("world");
  private final List<ChaosProcess> processes = new ArrayList<>();

  @AfterEach
  void stop() throws IOException {
    for (ChaosProcess process : processes) {
      process.close();
    }
    server.close();
  }

  @Test
  void everyRunEndsAndWhatIsGuardedHappensOnce() throws Exception {
    Random random = new Random(SEED);
    JobsSchema.apply(database);
    WorkflowsSchema.apply(database);
    new Sql(database).execute("CREATE TABLE business (run text PRIMARY KEY)");
    new ChaosWorld(world).prepare();
    for (int i = 0; i < PROCESSES; i++) {
      processes.add(
          new ChaosProcess(
              ChaosWorker.class,
              server,
              (PGSimpleDataSource) database,
              (PGSimpleDataSource) world));
    }
    ChaosFaults faults = new ChaosFaults(random, server, new Sql(world), processes, PLAN);

    try (HikariDataSource pool = pool();
        Jobs jobs = Jobs.over(pool);
        Workflows workflows = Workflows.builder(jobs).build()) {
      ChaosOutcome outcome = new ChaosOutcome(new Sql(database), new Sql(world), workflows);
      produceWhile(random, workflows, pool, () -> faults.run(Duration.ofSeconds(SECONDS)));
      requireNothingUncaught();
      Polling.until(CALM, outcome::unfinished, List::isEmpty);
      for (ChaosProcess process : processes) {
        assertThat(process.drain()).isZero();
      }
      requireNothingUncaught();

      System.out.printf(
          "chaos of workflows with seed %d for %d s: %s; %s; %s%n",
          SEED, SECONDS, faults.done(), outcome.counts(), outcome.effects());
      outcome.check();
    }
  }

  private void requireNothingUncaught() throws IOException {
    for (ChaosProcess process : processes) {
      process.requireNothingUncaught();
    }
  }

  private HikariDataSource pool() {
    HikariConfig config = new HikariConfig();
    config.setDataSource(database);
    config.setMaximumPoolSize(8);
    config.setMinimumIdle(0);
    return new HikariDataSource(config);
  }

  /** An action that takes a while. */
  private interface Action {
    void run() throws Exception;
  }

  private static void produceWhile(
      Random random, Workflows workflows, DataSource pool, Action action) throws Exception {
    List<ChaosProducer> producers = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < PRODUCERS; i++) {
      producers.add(new ChaosProducer("p" + i, new Random(random.nextLong()), workflows, pool));
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
