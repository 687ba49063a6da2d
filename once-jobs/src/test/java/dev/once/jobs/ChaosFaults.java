package dev.once.jobs;

import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.internal.Threads;
import dev.once.testkit.Sql;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Injects faults into processes, their connections and the server, in an order that a seed decides.
 */
public final class ChaosFaults {
  /** The faults, each with its relative frequency. */
  public enum Fault {
    KILL(3),
    PAUSE(3),
    CUT(2),
    ABANDON(1),
    SILENCE(1),
    SWALLOW(2),
    TERMINATE(2),
    REPLACE(1),
    CRASH(1);

    private final int weight;

    Fault(int weight) {
      this.weight = weight;
    }
  }

  /**
   * Which faults there are, and when.
   *
   * @param lease the lease of the processes: pauses are longer
   * @param longestGap the longest time between two faults
   */
  public record Plan(Set<Fault> faults, Duration lease, Duration longestGap) {}

  private static final int MIN_GAP_MILLIS = 100;
  private static final int MAX_BEYOND_LEASE_MILLIS = 2000;

  private final Random random;
  private final EmbeddedPostgres server;
  private final Sql database;
  private final List<ChaosProcess> processes;
  private final Plan plan;
  private final List<Fault> choices = new ArrayList<>();
  private final Map<Fault, Integer> done = new EnumMap<>(Fault.class);
  private final ScheduledThreadPoolExecutor ends = Threads.scheduled(1, "chaos-ends");

  public ChaosFaults(
      Random random,
      EmbeddedPostgres server,
      Sql database,
      List<ChaosProcess> processes,
      Plan plan) {
    this.random = random;
    this.server = server;
    this.database = database;
    this.processes = processes;
    this.plan = plan;
    for (Fault fault : plan.faults) {
      choices.addAll(Collections.nCopies(fault.weight, fault));
    }
  }

  /** The number of times that each fault was injected. */
  public Map<Fault, Integer> done() {
    return done;
  }

  /** Injects faults for a while, and repairs all of them at the end. */
  public void run(Duration time) throws IOException, InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - end < 0) {
      int gap = MIN_GAP_MILLIS + random.nextInt((int) plan.longestGap.toMillis() - MIN_GAP_MILLIS);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(gap));
      inject(
          choices.get(random.nextInt(choices.size())),
          processes.get(random.nextInt(processes.size())),
          plan.lease.plusMillis(random.nextInt(MAX_BEYOND_LEASE_MILLIS)));
    }
    ends.shutdownNow();
    ends.awaitTermination(1, TimeUnit.MINUTES);
    for (ChaosProcess process : processes) {
      process.recover();
    }
  }

  private void inject(Fault fault, ChaosProcess process, Duration time)
      throws IOException, InterruptedException {
    done.merge(fault, 1, Integer::sum);
    switch (fault) {
      case KILL -> process.kill();
      case PAUSE -> {
        process.pause();
        after(time, process::resume);
      }
      case CUT -> process.relay().cut();
      case ABANDON -> process.relay().abandon();
      case SILENCE -> process.relay().silence();
      case SWALLOW -> {
        process.relay().swallow();
        after(time, process.relay()::heal);
      }
      case TERMINATE -> terminateSome();
      case REPLACE -> {
        process.recover();
        process.replace();
      }
      case CRASH -> {
        server.kill();
        server.restart();
      }
    }
  }

  private void after(Duration time, Runnable end) {
    var unused = ends.schedule(end, time.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Some of the server's backends, also those of the producers and of the world. */
  private void terminateSome() {
    var unused =
        database.query(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND random() < 0.3
            """);
  }
}
