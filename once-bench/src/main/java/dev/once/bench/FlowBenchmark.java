package dev.once.bench;

import dev.once.bench.SpeedTable.Contest;
import java.io.Closeable;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A steady flow, as services have it: callers commit a business row and two jobs per transaction,
 * while workers in the same process run the jobs. A round ends when the last job has run.
 */
record FlowBenchmark(
    Session session,
    BenchDatabase database,
    RunRows rows,
    StatementTimes times,
    Map<String, String> notes) {
  private static final int JOBS_PER_CALL = 2;

  /** The least speed with workers, as a share of the speed of the same calls without. */
  private static final double WORKERS_AIM = 0.8;

  private static final double RIVALS_AIM = 1;

  /** The share of the calls that fill the tables, before the planner gets statistics of them. */
  private static final double WARM_UP = 0.2;

  private static final String INSERT = "INSERT INTO business (note) VALUES ('paid')";

  static Report run(Session session) throws Exception {
    SpeedTable table =
        SpeedTable.of(session, "flow", "Transactions of a row and two jobs", "transactions", 1);
    try (BenchDatabase database = session.database("flow")) {
      RunRows rows = new RunRows(database);
      rows.createTable();
      database.execute("CREATE TABLE business (id bigserial PRIMARY KEY, note text NOT NULL)");
      QueueContestants.createTables(database);
      StatementTimes times = new StatementTimes(database);
      times.enable();
      FlowBenchmark flow =
          new FlowBenchmark(session, database, rows, times, new ConcurrentHashMap<>());
      try (QueueContestants queues =
          QueueContestants.over(database, session.settings().connections())) {
        flow.compare(table, queues, "do nothing", (job, lender) -> {});
        flow.compare(table, queues, "write one row", rows);
      }
    }
    return table.report();
  }

  private void compare(
      SpeedTable table, QueueContestants queues, String work, JobQueue.Effect effect)
      throws Exception {
    List<Series> on =
        Stream.of(
                queues.onceTogether(),
                queues.onceTransactional(),
                queues.onceLeased(),
                queues.dbScheduler(),
                queues.jobRunrMany())
            .map(it -> series(it.name(), it.work(), effect, true))
            .toList();
    Series off = series("Once, workers off", queues.onceTogether().work(), effect, false);
    table.compare(
        SpeedTable.Rounds.BACKLOG,
        "jobs " + work,
        Integer.toString(session.settings().connections()),
        () -> {},
        List.of(
            new Contest("jobs " + work, RIVALS_AIM, on),
            new Contest("jobs " + work, SpeedTable.NO_AIM, off)));
    String name = "flow: jobs " + work;
    table.add(Finding.atLeast(WORKERS_AIM, name, off.name(), on.get(0).over(off)));
  }

  private Series series(String name, JobQueue queue, JobQueue.Effect effect, boolean hasWorkers) {
    return new Series(name, () -> round(name, queue, effect, hasWorkers), database.clocks())
        .noting(() -> notes.getOrDefault(name, ""));
  }

  private Round round(String name, JobQueue queue, JobQueue.Effect effect, boolean hasWorkers)
      throws Exception {
    queue.clear();
    rows.clear();
    database.execute("TRUNCATE business");
    int calls = session.settings().jobs() / JOBS_PER_CALL;
    int warmUp = (int) (WARM_UP * calls);
    JobTimeline log = new JobTimeline(calls * JOBS_PER_CALL);
    long nanos;
    Closeable workers = hasWorkers ? queue.start(log.around(effect)) : () -> {};
    try (workers) {
      call(queue, log, 0, warmUp);
      database.settle();
      times.reset();
      long begin = System.nanoTime();
      call(queue, log, warmUp, calls);
      if (hasWorkers) {
        log.awaitAll(JobBacklog.PATIENCE);
      }
      nanos = System.nanoTime() - begin;
      notes.put(name, times.perJob((long) (calls - warmUp) * JOBS_PER_CALL));
    }
    if (!hasWorkers) {
      return Round.untimed(calls - warmUp, nanos);
    }
    log.requireOnce();
    long[] waits = log.waits(warmUp * JOBS_PER_CALL);
    Arrays.sort(waits);
    return new Round(calls - warmUp, nanos / 1e9, waits);
  }

  /** Makes some of the calls, one after the other on each of the callers' threads. */
  private void call(JobQueue queue, JobTimeline log, int from, int to) throws Exception {
    AtomicInteger next = new AtomicInteger(from);
    Callable<Void> caller =
        () -> {
          for (int i = next.getAndIncrement(); i < to; i = next.getAndIncrement()) {
            List<Long> jobs = log.jobs(i * JOBS_PER_CALL, (i + 1) * JOBS_PER_CALL);
            queue.enqueueWith(it -> BenchDatabase.update(it, INSERT), jobs);
            log.committed(jobs);
          }
          return null;
        };
    int count = session.settings().connections();
    ExecutorService callers = Executors.newFixedThreadPool(count);
    try {
      for (Future<Void> it : callers.invokeAll(Collections.nCopies(count, caller))) {
        it.get();
      }
    } finally {
      callers.shutdownNow();
    }
  }
}
