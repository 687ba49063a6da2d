package dev.once.workflow;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.once.Effect;
import dev.once.internal.Limits;
import dev.once.jobs.Job;
import dev.once.steps.RunId;
import dev.once.workflow.Unwind.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The context of a run's code, or of one of its branches. Numbers the calls. */
final class RunContext implements WorkflowContext {
  private static final int MAX_BRANCHES = 1000;

  /** Jobs cannot be due later. */
  private static final Instant LAST_TIME = Instant.parse("9999-12-31T23:59:59Z");

  private final RunSession session;
  private final String prefix;
  private final @Nullable RunContext parent;
  private int next = 1;
  private volatile @Nullable Thread thread;
  private volatile @Nullable Unwind unwound;
  private volatile boolean isAbandoned;

  /**
   * @param prefix of the paths of its calls
   * @param parent the context of the code that runs this branch
   */
  RunContext(RunSession session, String prefix, @Nullable RunContext parent) {
    this.session = session;
    this.prefix = prefix;
    this.parent = parent;
  }

  /** Binds the context to the current thread, which runs its code. */
  void begin() {
    thread = Thread.currentThread();
  }

  @Override
  public RunId run() {
    return session.run().id();
  }

  @Override
  public <T extends @Nullable Object> T step(WorkflowStep<T> step, Effect<T, ?> effect) {
    return call(path -> new StepCall<>(session, this, path, step, null).run(effect));
  }

  @Override
  public <T extends @Nullable Object> T step(
      WorkflowStep<T> step, String input, Effect<T, ?> effect) {
    String hash = session.engine().inputs().json(input.getBytes(UTF_8)).digest();
    return call(path -> new StepCall<>(session, this, path, step, hash).run(effect));
  }

  @Override
  public <T extends @Nullable Object> T transaction(
      WorkflowStep<T> step, TransactionalEffect<T> effect) {
    if (step.reconciler().isPresent()) {
      throw new IllegalArgumentException(
          "step %s asks, but a transaction is never uncertain: remove asking"
              .formatted(step.name()));
    }
    return call(path -> new StepCall<>(session, this, path, step, null).runInTransaction(effect));
  }

  @Override
  public void sleep(Duration time) {
    Limits.range("time to sleep", time, Duration.ZERO, Job.MAX_DELAY);
    this.<@Nullable Void>call(path -> WaitCalls.sleep(session, this, path, it -> it.delay(time)));
  }

  @Override
  public void sleepUntil(Instant time) {
    if (time.isBefore(Instant.EPOCH) || time.isAfter(LAST_TIME)) {
      throw new IllegalArgumentException(
          "time to sleep until must be %s to %s, got %s".formatted(Instant.EPOCH, LAST_TIME, time));
    }
    this.<@Nullable Void>call(path -> WaitCalls.sleep(session, this, path, it -> it.dueAt(time)));
  }

  @Override
  public <T> T awaitSignal(SignalType<T> type) {
    return call(
        path -> WaitCalls.signal(session, this, path, type, Optional.empty()).orElseThrow());
  }

  @Override
  public <T> Optional<T> awaitSignal(SignalType<T> type, Duration timeout) {
    Limits.range("timeout", timeout, Duration.ZERO, Job.MAX_DELAY);
    return call(path -> WaitCalls.signal(session, this, path, type, Optional.of(timeout)));
  }

  @Override
  public <I extends @Nullable Object, O extends @Nullable Object> O child(
      Workflow<I, O> workflow, String run, I input) {
    RunId child = new RunId(run().tenant(), run);
    WakeJob.requireName(run);
    return call(path -> new ChildCall<>(session, this, path, workflow, child).run(input));
  }

  @Override
  public <T extends @Nullable Object> List<T> all(List<Branch<T>> branches) throws Exception {
    Limits.range("branches", branches.size(), 1, MAX_BRANCHES);
    return checkedCall(path -> new Branches<>(session, this, path, branches).all());
  }

  @Override
  public <T extends @Nullable Object> T any(List<Branch<T>> branches) throws Exception {
    Limits.range("branches", branches.size(), 1, MAX_BRANCHES);
    return checkedCall(path -> new Branches<>(session, this, path, branches).any());
  }

  /**
   * Lets this branch do nothing more, because another one won.
   *
   * @see #requireMayContinue
   */
  void abandon() {
    isAbandoned = true;
  }

  private boolean isAbandoned() {
    return isAbandoned || (parent != null && parent.isAbandoned());
  }

  /** Makes sure that the code may do something that is not in the history. */
  void requireMayContinue() {
    if (isAbandoned()) {
      throw Unwind.because(Reason.STOPPED);
    }
    session.requireMayContinue();
  }

  /** Ends the code again if it caught what ended it, and checks that nothing more is recorded. */
  void end() {
    Unwind before = unwound;
    if (before != null) {
      throw before;
    }
    try {
      session.history().requireEnd(prefix + next);
    } catch (HistoryMismatchException e) {
      throw Unwind.brokenBy(e);
    }
  }

  /**
   * Returns what ended the code if it caught that, and otherwise {@code thrown}, unless the code
   * went on after this place before: then it does not do the same each time, and the run must not
   * fail, because the steps that the code did not reach could not be compensated.
   */
  Throwable unwoundOr(Throwable thrown) {
    Unwind before = unwound;
    if (before != null) {
      return before;
    }
    if (thrown instanceof Error || StepDeadline.isInterrupt(thrown)) {
      return thrown;
    }
    try {
      session.history().requireEnd(prefix + next);
      return thrown;
    } catch (HistoryMismatchException e) {
      e.addSuppressed(thrown);
      return Unwind.brokenBy(e);
    }
  }

  private <T extends @Nullable Object> T call(Function<String, T> call) {
    String path = nextPath();
    try {
      return call.apply(path);
    } catch (StepFailedException e) {
      throw e; // For the code, which may catch it.
    } catch (Unwind e) {
      unwound = e;
      throw e;
    } catch (RuntimeException | Error e) {
      // Of Once and not of the code, which must not take it for a failure of its own.
      Unwind broken = Unwind.brokenBy(e);
      unwound = broken;
      throw broken;
    }
  }

  /** A call that runs branches, and passes on what they throw. */
  private interface BranchCall<T extends @Nullable Object> {
    T run(String path) throws Exception;
  }

  private <T extends @Nullable Object> T checkedCall(BranchCall<T> call) throws Exception {
    String path = nextPath();
    try {
      return call.run(path);
    } catch (Unwind e) {
      unwound = e;
      throw e;
    }
  }

  private String nextPath() {
    requireOwnThread();
    Unwind before = unwound;
    if (before != null) {
      throw before;
    }
    return prefix + next++;
  }

  /** Two threads would number their calls in another order each time. */
  private void requireOwnThread() {
    if (!Thread.currentThread().equals(thread)) {
      unwound =
          Unwind.brokenBy(
              new HistoryMismatchException(
                  "the code calls a context on thread %s, where its calls have no place in the history: use all or any, and in each branch the context that it gets"
                      .formatted(Thread.currentThread().getName())));
    }
  }
}
