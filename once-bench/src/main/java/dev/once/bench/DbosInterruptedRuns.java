package dev.once.bench;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Workflow;
import java.io.Closeable;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs of DBOS Transact. A process that starts with the same executor id resumes those that are
 * pending.
 */
public final class DbosInterruptedRuns implements ResumeBenchmark.InterruptedRuns {
  private static final String EXECUTOR = "resume";
  private static final int CALLERS = 64;

  private final BenchDatabase database;
  private final AtomicLong effects = new AtomicLong();
  private volatile boolean isInterrupted;

  DbosInterruptedRuns(BenchDatabase database) {
    this.database = database;
  }

  @Override
  public void leave(int count) throws Exception {
    isInterrupted = true;
    try (RunningCode process = new RunningCode(() -> {})) {
      Callable<String> call = process.runs::run;
      ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
      try {
        for (Future<String> run : callers.invokeAll(Collections.nCopies(count, call))) {
          requireInterrupted(run);
        }
      } finally {
        callers.shutdownNow();
      }
    }
    isInterrupted = false;
    int left =
        database.update(
            "UPDATE dbos.workflow_status SET status = 'PENDING', error = NULL"
                + " WHERE status = 'ERROR' AND executor_id = ?",
            EXECUTOR);
    if (left != count) {
      throw new IllegalStateException("%d of %d runs were interrupted".formatted(left, count));
    }
  }

  private static void requireInterrupted(Future<String> run) throws InterruptedException {
    try {
      throw new IllegalStateException("a run ended: " + run.get());
    } catch (ExecutionException e) {
      // As it has to be.
    }
  }

  @Override
  public Closeable resume(Runnable called) {
    return new RunningCode(called);
  }

  @Override
  public long unfinished() {
    return database.number(
        "SELECT count(*) FROM dbos.workflow_status WHERE status = 'PENDING' AND executor_id = ?",
        EXECUTOR);
  }

  @Override
  public long effects() {
    return effects.get();
  }

  /** DBOS in a process. */
  private final class RunningCode implements Closeable {
    private final DBOS dbos;
    private final Runs runs;

    RunningCode(Runnable called) {
      this.dbos =
          new DBOS(
              DBOSConfig.defaults("once-bench")
                  .withDataSource(database.pool())
                  .withAppVersion("1")
                  .withExecutorId(EXECUTOR));
      this.runs = dbos.registerProxy(Runs.class, new Work(dbos, called));
      dbos.launch();
    }

    @Override
    public void close() {
      dbos.shutdown();
    }
  }

  /** The workflow. Public because DBOS creates a proxy of it. */
  public interface Runs {
    /** A hundred steps that return a short text. */
    String run();
  }

  /** Its code. Public where DBOS calls it. */
  public final class Work implements Runs {
    private final DBOS dbos;
    private final Runnable called;

    Work(DBOS dbos, Runnable called) {
      this.dbos = dbos;
      this.called = called;
    }

    @Override
    @Workflow(name = "long")
    public String run() {
      called.run();
      for (int i = 0; i < ResumeBenchmark.STEPS; i++) {
        String text = StepsBenchmark.textOf(i);
        dbos.<String, RuntimeException>runStep(
            () -> {
              effects.incrementAndGet();
              return text;
            },
            "work");
      }
      if (isInterrupted) {
        throw new IllegalStateException("interrupted");
      }
      return "done";
    }
  }
}
