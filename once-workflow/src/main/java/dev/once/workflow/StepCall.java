package dev.once.workflow;

import dev.once.Effect;
import dev.once.EffectState;
import dev.once.Reconciler;
import dev.once.StoreException;
import dev.once.jobs.JobException;
import dev.once.workflow.Unwind.Reason;
import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** One call of a step. */
final class StepCall<T extends @Nullable Object> {
  private final RunSession session;
  private final RunContext context;
  private final String path;
  private final WorkflowStep<T> step;
  private final @Nullable String input;

  /**
   * @param input the hash of the step's input, if it has one
   */
  StepCall(
      RunSession session,
      RunContext context,
      String path,
      WorkflowStep<T> step,
      @Nullable String input) {
    this.session = session;
    this.context = context;
    this.path = path;
    this.step = step;
    this.input = input;
  }

  T run(Effect<T, ?> effect) {
    return replayOr(failedAttempts -> attempt(effect, failedAttempts));
  }

  T runInTransaction(TransactionalEffect<T> effect) {
    return replayOr(failedAttempts -> attemptInTransaction(effect, failedAttempts));
  }

  private T replayOr(IntFunction<T> attempt) {
    Optional<Entry> known = session.history().expect(path, EntryKind.STEP, step.name(), input);
    step.compensation().ifPresent(it -> session.compensations().register(path, step));
    if (known.isPresent()) {
      Entry entry = known.get();
      if (entry.state() == EntryState.DONE) {
        return session.unpack(session.place(path), step.codec(), entry.value());
      }
      if (entry.state() == EntryState.FAILED) {
        String reason =
            session.engine().values().unpackFailure(session.place(path), entry.failure());
        throw new StepFailedException(step.name(), reason, null);
      }
    }
    context.requireMayContinue();
    if (known.isPresent()
        && known.get().state().isWaiting()
        && !known.get().isDue(session.history().now())) {
      throw Unwind.because(Reason.SUSPENDED);
    }
    int failedAttempts = known.map(Entry::failedAttempts).orElse(0);
    boolean isUnknown = known.map(it -> it.state() != EntryState.WAITING).orElse(false);
    if (isUnknown && step.reconciler().isPresent()) {
      EffectState<T> found = ask(step.reconciler().get(), failedAttempts);
      if (found instanceof EffectState.Happened<T> it) {
        return done(it.value(), failedAttempts);
      }
      if (found instanceof EffectState.Unknown<T>) {
        throw unanswered(failedAttempts, null);
      }
      if (failedAttempts >= step.retries().attempts()) {
        throw exhausted(known.orElseThrow());
      }
    }
    return attempt.apply(failedAttempts);
  }

  private EffectState<T> ask(Reconciler<T> reconciler, int failedAttempts) {
    try {
      return StepDeadline.run(
          session, step.deadline(), () -> reconciler.reconcile(execution(failedAttempts)));
    } catch (Unwind e) {
      throw e;
    } catch (Exception | Error e) {
      StepDeadline.requireNoInterrupt(e);
      throw unanswered(failedAttempts, e);
    }
  }

  private T attempt(Effect<T, ?> effect, int failedAttempts) {
    if (step.isAnnounced()) {
      session.record(
          write(EntryState.BEGUN)
              .failedAttempts(failedAttempts)
              .registersCompensation(step.compensation().isPresent()));
    }
    T value;
    try {
      value =
          StepDeadline.run(
              session, step.deadline(), () -> effect.execute(execution(failedAttempts)));
    } catch (Unwind e) {
      throw e;
    } catch (Exception | Error e) { // An error is of the effect too: its policy says what follows.
      StepDeadline.requireNoInterrupt(e);
      throw failed(e, failedAttempts);
    }
    return done(value, failedAttempts);
  }

  private T attemptInTransaction(TransactionalEffect<T> effect, int failedAttempts) {
    try {
      return StepDeadline.run(
          session,
          step.deadline(),
          () ->
              session
                  .engine()
                  .jobs()
                  .transactions()
                  .<T, Exception>execute(it -> effectAndEntry(it, effect, failedAttempts)));
    } catch (StoreException e) {
      throw Unwind.brokenBy(e); // It may be committed: the next activation reads the history.
    } catch (Unwind e) {
      throw e;
    } catch (Exception | Error e) {
      StepDeadline.requireNoInterrupt(e);
      throw failed(e, failedAttempts);
    }
  }

  private T effectAndEntry(Connection connection, TransactionalEffect<T> effect, int failedAttempts)
      throws Exception {
    T value = effect.execute(connection, execution(failedAttempts));
    EntryWrite entry =
        doneEntry(value, failedAttempts).registersCompensation(step.compensation().isPresent());
    session.accept(RecordStatement.execute(connection, session.run(), entry));
    entry.addTo(session.history()); // If the commit fails, the activation ends.
    return value;
  }

  private T done(T value, int failedAttempts) {
    EntryWrite entry;
    try {
      entry = doneEntry(value, failedAttempts);
    } catch (RuntimeException e) {
      // Another attempt would repeat the effect, and could not store its value either.
      throw fail(failedAttempts, e);
    }
    session.record(entry);
    return value;
  }

  private EntryWrite doneEntry(T value, int failedAttempts) {
    byte[] packed = session.engine().values().pack(session.place(path), step.codec(), value);
    return write(EntryState.DONE).failedAttempts(failedAttempts).value(packed);
  }

  /** Records a failed attempt; returns what the code gets. */
  private Error failed(Throwable thrown, int failedAttempts) {
    if (thrown instanceof JobException.Snooze it) {
      wait(EntryState.WAITING, failedAttempts, it.delay(), thrown);
      return Unwind.because(Reason.SUSPENDED);
    }
    boolean isLast =
        thrown instanceof JobException.GiveUp || failedAttempts + 1 >= step.retries().attempts();
    if (step.reconciler().isPresent() && !(thrown instanceof JobException.GiveUp)) {
      return uncertain(Math.min(failedAttempts + 1, step.retries().attempts()), thrown);
    }
    if (isLast) {
      throw fail(failedAttempts, thrown);
    }
    Duration delay =
        thrown instanceof JobException.Retry it
            ? it.delay()
            : step.retries().delayAfter(failedAttempts + 1);
    wait(EntryState.WAITING, failedAttempts + 1, delay, thrown);
    return Unwind.because(Reason.SUSPENDED);
  }

  private StepFailedException fail(int failedAttempts, Throwable thrown) {
    byte[] failure = session.engine().values().packFailure(session.place(path), thrown);
    session.record(write(EntryState.FAILED).failedAttempts(failedAttempts + 1).failure(failure));
    return new StepFailedException(step.name(), thrown.toString(), thrown);
  }

  /** The last attempt did not happen either. */
  private StepFailedException exhausted(Entry entry) {
    String reason = session.engine().values().unpackFailure(session.place(path), entry.failure());
    session.record(
        write(EntryState.FAILED).failedAttempts(entry.failedAttempts()).failure(entry.failure()));
    return new StepFailedException(step.name(), reason, null);
  }

  /**
   * The reconciler does not know, or does not answer: it is asked again, however often. That leaves
   * the effect an attempt, if it turns out that it did not happen.
   */
  private Unwind unanswered(int failedAttempts, @Nullable Throwable thrown) {
    int asked = Math.min(failedAttempts + 1, step.retries().attempts() - 1);
    return uncertain(Math.max(failedAttempts, asked), thrown);
  }

  private Unwind uncertain(int failedAttempts, @Nullable Throwable thrown) {
    Duration delay = step.retries().delayAfter(Math.max(1, failedAttempts));
    wait(EntryState.UNCERTAIN, failedAttempts, delay, thrown);
    return Unwind.because(Reason.SUSPENDED);
  }

  private void wait(
      EntryState state, int failedAttempts, Duration delay, @Nullable Throwable thrown) {
    byte[] failure =
        thrown == null ? null : session.engine().values().packFailure(session.place(path), thrown);
    session.record(write(state).failedAttempts(failedAttempts).failure(failure).delay(delay));
  }

  private EntryWrite write(EntryState state) {
    return EntryWrite.of(path, EntryKind.STEP, step.name(), state).input(input);
  }

  private StepExecution execution(int failedAttempts) {
    return session.execution(path, step.name(), failedAttempts);
  }
}
