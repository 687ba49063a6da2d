package dev.once.workflow;

import dev.once.StoreException;
import dev.once.internal.Limits;
import dev.once.jdbc.internal.Threads;
import dev.once.jdbc.internal.TransactionRunner;
import dev.once.jobs.Handler;
import dev.once.jobs.Jobs;
import dev.once.jobs.Workers;
import dev.once.json.Fingerprinter;
import dev.once.spi.Packing;
import dev.once.steps.RunId;
import java.sql.Connection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * Starts runs of workflows and sends them signals. A run that is started in a transaction exists
 * if, and only if, the transaction commits. Its code runs in {@link Workers}, of any process that
 * registered the same version; if that process dies, another one continues after the last step that
 * is done. Thread-safe.
 */
public final class Workflows implements AutoCloseable {
  /** The maximum number of signals that wait to be received, for each run. */
  public static final int MAX_WAITING_SIGNALS = 1000;

  public static final int MAX_SIGNAL_ID_CHARS = 255;

  private final Engine engine;
  private final Map<String, Activation<?, ?>> activations;
  private final ScheduledThreadPoolExecutor deadlines;
  private final RunStarter starter;
  private final Runs runs;

  private Workflows(Builder builder) {
    this.deadlines = Threads.scheduled(1, "once-workflow-deadlines");
    deadlines.setRemoveOnCancelPolicy(true); // Most steps end long before their deadline.
    Jobs jobs = builder.jobs;
    this.engine =
        new Engine(
            new TransactionRunner(jobs.dataSource()),
            new RunWrites(jobs.dataSource()),
            jobs,
            builder.queue,
            new Values(Packing.of(jobs.sealing())),
            Fingerprinter.sha256(),
            deadlines);
    this.activations = new HashMap<>();
    builder.registrations.forEach((type, it) -> activations.put(type, it.activation(engine)));
    this.starter = new RunStarter(engine);
    this.runs = new Runs(engine, Map.copyOf(activations));
  }

  /** Returns a builder of workflows whose runs are continued by jobs of {@code jobs}. */
  public static Builder builder(Jobs jobs) {
    return new Builder(jobs);
  }

  /** Has {@code workers} run the code of the workflows that are registered. */
  public Workers.Builder addTo(Workers.Builder workers) {
    activations.forEach(
        (type, it) -> workers.handle(engine.queue(), type, Handler.fenced(it::run)));
    return workers;
  }

  /**
   * Starts a run in the caller's transaction, if the framework has one, and otherwise in a
   * transaction of its own.
   *
   * @return whether there was no such run; a run that exists stays as it is
   * @throws RunMismatchException if the name belongs to a run of another workflow or input
   */
  public <I extends @Nullable Object> boolean start(Workflow<I, ?> workflow, RunId run, I input) {
    RunStarter.Start<I> start = start(run, workflow, input);
    return engine
        .jobs()
        .enqueueWith(
            "starting a run", (connection, jobs) -> starter.execute(connection, start, jobs));
  }

  /**
   * Starts a run in the transaction that is open on {@code connection}. Workers find it at their
   * next poll; {@link Jobs#wake} after the commit makes them poll immediately.
   *
   * @throws RunMismatchException if the name belongs to a run of another workflow or input
   */
  public <I extends @Nullable Object> boolean start(
      Connection connection, Workflow<I, ?> workflow, RunId run, I input) {
    RunStarter.Start<I> start = start(run, workflow, input);
    return engine
        .jobs()
        .enqueueWith(connection, "starting a run", (it, jobs) -> starter.execute(it, start, jobs));
  }

  private static <I extends @Nullable Object> RunStarter.Start<I> start(
      RunId run, Workflow<I, ?> workflow, I input) {
    WakeJob.requireName(run.value());
    return new RunStarter.Start<>(run, workflow, input, Optional.empty());
  }

  /**
   * Sends a signal to a run, in the caller's transaction, if the framework has one, and otherwise
   * in a transaction of its own. A signal that arrives before the run waits for it is kept.
   *
   * @param id names this signal among those of its type: the same id again changes nothing
   */
  public <T> SignalResult signal(RunId run, SignalType<T> type, String id, T value) {
    byte[] packed = pack(run, type, id, value);
    return engine
        .jobs()
        .enqueueWith(
            "sending a signal",
            (connection, jobs) ->
                new RunChanges(engine).signal(connection, run, type.name(), id, packed, jobs));
  }

  /** Sends a signal in the transaction that is open on {@code connection}. */
  public <T> SignalResult signal(
      Connection connection, RunId run, SignalType<T> type, String id, T value) {
    byte[] packed = pack(run, type, id, value);
    return engine
        .jobs()
        .enqueueWith(
            connection,
            "sending a signal",
            (it, jobs) -> new RunChanges(engine).signal(it, run, type.name(), id, packed, jobs));
  }

  private <T> byte[] pack(RunId run, SignalType<T> type, String id, T value) {
    Limits.text("id of a signal", id, 1, MAX_SIGNAL_ID_CHARS);
    Objects.requireNonNull(value, "a signal needs a value");
    Values.Place place = Values.Place.signal(run.tenant(), type.name());
    return engine.values().pack(place, type.codec(), value);
  }

  /** Returns the runs, which operators can look at, cancel, resume and fork. */
  public Runs runs() {
    return runs;
  }

  /** Stops interrupting steps at their deadlines. Close the workers first. */
  @Override
  public void close() {
    deadlines.shutdownNow();
  }

  /** The code of one version, before there is an engine. */
  private record Registration<I extends @Nullable Object, O extends @Nullable Object>(
      Workflow<I, O> workflow, WorkflowFunction<I, O> function) {
    Activation<I, O> activation(Engine engine) {
      return new Activation<>(engine, workflow, function);
    }
  }

  /** The settings of {@link Workflows}. */
  public static final class Builder {
    private final Jobs jobs;
    private final Map<String, Registration<?, ?>> registrations = new HashMap<>();
    private String queue = "workflows";

    private Builder(Jobs jobs) {
      this.jobs = jobs;
    }

    /** Registers the code of one version of a workflow. */
    public <I extends @Nullable Object, O extends @Nullable Object> Builder register(
        Workflow<I, O> workflow, WorkflowFunction<I, O> function) {
      String type = WakeJob.type(workflow.name(), workflow.version());
      if (registrations.putIfAbsent(type, new Registration<>(workflow, function)) != null) {
        throw new IllegalArgumentException("two functions for " + workflow);
      }
      return this;
    }

    /** Sets the queue of the jobs that continue runs; "workflows" by default. */
    public Builder queue(String queue) {
      this.queue = queue;
      return this;
    }

    /**
     * Returns the workflows.
     *
     * @throws StoreException if the tables are missing, or of a release that this one cannot use
     */
    public Workflows build() {
      WorkflowsSchema.check(jobs.dataSource());
      return new Workflows(this);
    }
  }
}
