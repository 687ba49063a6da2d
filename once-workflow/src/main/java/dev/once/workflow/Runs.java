package dev.once.workflow;

import dev.once.internal.Limits;
import dev.once.steps.RunId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Shows and changes runs, for operators and for callers that ask for a result. Thread-safe. */
public final class Runs {
  /** How long runs are kept after their end, at least. */
  public static final Duration MIN_RETENTION = Duration.ofMinutes(1);

  public static final int MAX_PURGE = 10_000;

  /** The states in which a run needs its code: to go on, or for its compensations. */
  private static final List<RunState> OPEN = List.of(RunState.RUNNING, RunState.COMPENSATING);

  private final Engine engine;
  private final RunChanges changes;
  private final Map<String, Activation<?, ?>> activations;

  Runs(Engine engine, Map<String, Activation<?, ?>> activations) {
    this.engine = engine;
    this.changes = new RunChanges(engine);
    this.activations = activations;
  }

  public Optional<RunView> find(RunId run) {
    return engine
        .transactions()
        .run("finding a run", it -> FindRunStatement.execute(it, run, engine.values()));
  }

  /**
   * Returns the value of a completed run; empty if the run is not completed.
   *
   * @throws IllegalArgumentException if it is a run of another workflow
   */
  public <O> Optional<O> value(RunId run, Workflow<?, @Nullable O> workflow) {
    return engine
        .transactions()
        .run("reading a value", it -> FindRunStatement.value(it, run, workflow, engine.values()));
  }

  /** Returns a page of runs, in the order of their names. */
  public List<RunView> list(RunQuery query) {
    return engine
        .transactions()
        .run("listing runs", it -> FindRunStatement.list(it, query, engine.values()));
  }

  /**
   * Returns a page of the tenants that have runs, in the order of their names.
   *
   * @param after the last tenant of the previous page; empty for the first page
   * @param limit the maximum number of tenants
   */
  public List<String> tenants(String after, int limit) {
    Limits.range("limit", limit, 1, RunQuery.MAX_LIMIT);
    return engine
        .transactions()
        .run("listing tenants", it -> TenantsStatement.execute(it, after, limit));
  }

  /** Returns the history of a run, in the order in which its entries were first written. */
  public List<HistoryEntry> history(RunId run) {
    return engine
        .transactions()
        .run("reading a history", it -> HistoryStatement.execute(it, run, engine.values()));
  }

  /**
   * Returns why a run does not go on now: what its code waits for, and the jobs that will continue
   * it or could not.
   */
  public List<WaitReason> waits(RunId run) {
    return engine
        .transactions()
        .run("reading what a run waits for", it -> WaitsStatement.execute(it, run, engine));
  }

  /**
   * Requests the end of a run. Its code does nothing new, the step that runs is not interrupted,
   * and its compensations follow.
   *
   * @return whether the run was not failed, cancelled or completed already
   */
  public boolean cancel(RunId run) {
    return changes.cancel(run);
  }

  /**
   * Continues a run that failed, if it had nothing to compensate, and a run whose job became a dead
   * letter. Steps that failed are attempted again; those that are done stay done.
   *
   * @return false if there is no such run
   */
  public boolean resume(RunId run) {
    return changes.resume(run);
  }

  /**
   * Starts another run with the same input and the history of {@code run} before the call at {@code
   * path}: its code continues there.
   *
   * @param path the place of a call outside of branches: a number
   * @return false if there is no such run, or the name of the new one is in use
   */
  public boolean fork(RunId run, int path, String newRun) {
    Limits.range("path", path, 1, History.MAX_ENTRIES);
    WakeJob.requireName(newRun);
    RunId fork = new RunId(run.tenant(), newRun);
    return engine
        .jobs()
        .enqueueWith(
            "forking a run",
            (connection, jobs) -> ForkStatement.execute(connection, run, path, fork, engine, jobs));
  }

  /**
   * Calls the code of this process for open runs, without letting it do anything, and returns the
   * runs that it cannot continue. Run it before a deploy.
   *
   * @param limit the maximum number of runs to look at
   */
  public List<RunProblem> check(String tenant, int limit) {
    List<RunProblem> problems = new ArrayList<>();
    int left = limit;
    for (RunState state : OPEN) {
      left -= check(tenant, state, left, problems);
    }
    return problems;
  }

  /** Checks up to {@code limit} runs, and returns how many there were. */
  private int check(String tenant, RunState state, int limit, List<RunProblem> problems) {
    int checked = 0;
    Optional<String> after = Optional.empty();
    while (checked < limit) {
      RunQuery query =
          RunQuery.of(tenant, state).withLimit(Math.min(limit - checked, RunQuery.MAX_LIMIT));
      List<RunView> page = list(after.map(query::after).orElse(query));
      if (page.isEmpty()) {
        return checked;
      }
      for (RunView it : page) {
        check(it).ifPresent(problems::add);
        after = Optional.of(it.run().value());
      }
      checked += page.size();
    }
    return checked;
  }

  /** Calls the code of this process for one open run, and returns why it cannot continue it. */
  public Optional<RunProblem> check(RunView run) {
    Activation<?, ?> activation = activations.get(WakeJob.type(run.workflow(), run.version()));
    if (activation == null) {
      return Optional.of(
          new RunProblem(
              run.run(),
              "%s version %d is not registered".formatted(run.workflow(), run.version())));
    }
    return engine
        .transactions()
        .run("reading a run", it -> HistoryStatement.forCheck(it, run.run()))
        .flatMap(activation::problem)
        .map(it -> new RunProblem(run.run(), it));
  }

  /**
   * Removes runs that ended longer than {@code retention} ago. Call it until it removes fewer than
   * {@code limit}.
   *
   * @return the number of runs that this call removed
   */
  public int purge(Duration retention, int limit) {
    Limits.range("retention", retention, MIN_RETENTION, Duration.ofDays(4000));
    Limits.range("limit", limit, 1, MAX_PURGE);
    return engine
        .transactions()
        .run("purging runs", it -> PurgeStatement.execute(it, retention, limit));
  }
}
