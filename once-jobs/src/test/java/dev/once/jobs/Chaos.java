package dev.once.jobs;

import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.internal.Threads;
import dev.once.testkit.Sql;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Injects faults into processes, their connections and the server, in an order that a seed decides.
 */
final class Chaos {
  /** The faults, each with its relative frequency. */
  enum Fault {
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

  private static final int MIN_GAP_MILLIS = 100;
  private static final int MAX_GAP_MILLIS = 900;
  private static final int MAX_BEYOND_LEASE_MILLIS = 2000;

  private final Random random;
  private final EmbeddedPostgres server;
  private final JobDatabase database;
  private final List<ChaosProcess> processes;
  private final List<Fault> choices = new ArrayList<>();
  private final Map<Fault, Integer> done = new EnumMap<>(Fault.class);
  private final ScheduledThreadPoolExecutor ends = Threads.scheduled(1, "chaos-ends");

  Chaos(
      Random random, EmbeddedPostgres server, JobDatabase database, List<ChaosProcess> processes) {
    this.random = random;
    this.server = server;
    this.database = database;
    this.processes = processes;
    for (Fault inject : Fault.values()) {
      choices.addAll(Collections.nCopies(inject.weight, inject));
    }
  }

  /** The number of times that each fault was injected. */
  Map<Fault, Integer> done() {
    return done;
  }

  /** Injects faults for a while, and repairs all of them at the end. */
  void run(Duration time) throws IOException, InterruptedException, SQLException {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - end < 0) {
      int gap = MIN_GAP_MILLIS + random.nextInt(MAX_GAP_MILLIS - MIN_GAP_MILLIS);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(gap));
      inject(
          choices.get(random.nextInt(choices.size())),
          processes.get(random.nextInt(processes.size())),
          ChaosHandlers.LEASE.plusMillis(random.nextInt(MAX_BEYOND_LEASE_MILLIS)));
    }
    ends.shutdownNow();
    ends.awaitTermination(1, TimeUnit.MINUTES);
    for (ChaosProcess process : processes) {
      process.recover();
    }
  }

  private void inject(Fault inject, ChaosProcess process, Duration time)
      throws IOException, InterruptedException, SQLException {
    done.merge(inject, 1, Integer::sum);
    switch (inject) {
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
  private void terminateSome() throws SQLException {
    try (Connection connection = database.direct().getConnection()) {
      Sql.execute(
          connection,
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND random() < 0.3
          """);
    }
  }
}
