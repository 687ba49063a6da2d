package dev.once.workflow;

import dev.once.Codec;
import dev.once.StoreException;
import dev.once.jdbc.internal.TransactionRunner.Step;
import dev.once.steps.RunId;
import dev.once.workflow.Unwind.Reason;
import dev.once.workflow.Values.Place;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One activation of a run, as the calls of its code see it: what is in the history, and what may be
 * added. Thread-safe: branches share it.
 */
final class RunSession {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The classes of SQL states for wrong data, violated constraints, and wrong statements. */
  private static final List<String> REFUSED = List.of("22", "23", "42");

  private static final int MAX_CAUSES = 100;

  private final BegunRun run;
  private final Engine engine;
  private final BooleanSupplier leaseLost;
  private final Compensations compensations;

  /** Whether the code may do nothing new. */
  private volatile boolean isStopped;

  private volatile boolean isCompensating;

  RunSession(BegunRun run, Engine engine, BooleanSupplier leaseLost) {
    this.run = run;
    this.engine = engine;
    this.leaseLost = leaseLost;
    this.compensations = new Compensations(this);
    this.isCompensating = run.state() == RunState.COMPENSATING;
    this.isStopped = run.isCancelled() || run.state() != RunState.RUNNING;
  }

  BegunRun run() {
    return run;
  }

  Engine engine() {
    return engine;
  }

  History history() {
    return run.history();
  }

  Compensations compensations() {
    return compensations;
  }

  boolean isStopped() {
    return isStopped;
  }

  boolean isCompensating() {
    return isCompensating;
  }

  /** Notes that the run only compensates from now on. */
  void beginCompensation() {
    isCompensating = true;
  }

  /** Lets the code do nothing new. */
  void stop() {
    isStopped = true;
  }

  boolean isLost() {
    return leaseLost.getAsBoolean();
  }

  /**
   * Makes sure that the code may do something that is not in the history.
   *
   * @throws Unwind if it may not
   */
  void requireMayContinue() {
    requireLease();
    if (isStopped) {
      throw Unwind.because(Reason.STOPPED);
    }
    history().requireRoom();
  }

  /**
   * Makes sure that the lease of the job lasts. If not, the job must not be completed, even if no
   * other activation has the run yet: without the job none would continue it.
   *
   * @throws Unwind if it does not last
   */
  void requireLease() {
    if (isLost()) {
      throw Unwind.brokenBy(new IllegalStateException("the lease of " + run + "'s job is lost"));
    }
  }

  /** Asks for the cancellation of a child whose parent does not wait for it any more. */
  void cancelChild(RunId child) {
    persist(() -> new RunChanges(engine).cancel(child));
  }

  StepExecution execution(String path, String name, int failedAttempts) {
    return new StepExecution(
        Paths.keyOf(run.id(), path, name), run.fence(), failedAttempts + 1, leaseLost);
  }

  <T extends @Nullable Object> T unpack(Place place, Codec<T> codec, byte @Nullable [] packed) {
    if (packed == null) {
      throw new HistoryMismatchException("the history lacks the value of " + place.what());
    }
    return engine.values().unpack(place, codec, packed);
  }

  Place place(String path) {
    return Place.entry(run.id().tenant(), run.workflow(), path);
  }

  /**
   * Writes an entry.
   *
   * @throws Unwind if another activation owns the run
   */
  void record(EntryWrite entry) {
    accept(persist(() -> engine.writes().record(run, entry)));
    entry.addTo(history());
  }

  /** Writes which branch won, and requests the end of the children of the others. */
  void choose(EntryWrite choice, List<RunId> children) {
    if (children.isEmpty()) {
      record(choice);
      return;
    }
    RunChanges changes = new RunChanges(engine);
    accept(
        persist(
            () ->
                engine
                    .jobs()
                    .enqueueWith(
                        "choosing a branch",
                        (connection, jobs) -> {
                          Ownership ownership = RecordStatement.execute(connection, run, choice);
                          for (RunId child : children) {
                            if (ownership != Ownership.LOST) {
                              changes.cancel(connection, child, jobs);
                            }
                          }
                          return ownership;
                        })));
    choice.addTo(history());
  }

  /** Notes what a statement said about the run. */
  void accept(Ownership ownership) {
    switch (ownership) {
      case OWNED -> {}
      case CANCELLED -> isStopped = true;
      case LOST -> throw Unwind.because(Reason.LOST);
    }
  }

  /** A call that a thread of the store sent fails by an exception around that thread's own. */
  private static boolean isRefused(StoreException failure) {
    Throwable it = failure;
    for (int depth = 0; it != null && depth < MAX_CAUSES; depth++) { // Causes may form a cycle.
      if (it instanceof SQLException sql && sql.getSQLState() != null) {
        return REFUSED.stream().anyMatch(sql.getSQLState()::startsWith);
      }
      it = it.getCause();
    }
    return false;
  }

  <T> T persist(String what, Step<T> step) {
    return persist(() -> engine.transactions().run(what, step));
  }

  /** What a call of the database returns. */
  interface Call<T> {
    T run();
  }

  /**
   * Repeats a call until the database answers, for as long as the lease of the activation lasts:
   * what it records has happened. An interrupt waits. All calls may be repeated after a lost
   * answer. What the database refuses for good, such as a value out of range, is not repeated.
   */
  <T> T persist(Call<T> call) {
    boolean isInterrupted = false;
    try {
      for (long pause = FIRST_PAUSE_NANOS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS)) {
        isInterrupted |= Thread.interrupted();
        try {
          return call.run();
        } catch (StoreException e) {
          if (isLost() || isRefused(e)) {
            throw e;
          }
        }
        LockSupport.parkNanos(pause);
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
