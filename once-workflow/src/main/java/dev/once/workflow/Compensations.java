package dev.once.workflow;

import dev.once.Effect;
import dev.once.jobs.JobException;
import dev.once.workflow.Values.Place;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Undoes the steps of a run that failed or was cancelled. The rows say which compensations are due;
 * the code, which was called up to the same place before, has said what they do. Thread-safe.
 */
final class Compensations {
  /** Distinguishes the path of a compensation from that of its step. */
  static final String SUFFIX = "~";

  private final RunSession session;
  private final Map<String, WorkflowStep<?>> steps = new ConcurrentHashMap<>();

  Compensations(RunSession session) {
    this.session = session;
  }

  /** Notes what undoes the step at {@code path}. */
  void register(String path, WorkflowStep<?> step) {
    steps.put(path + SUFFIX, step);
  }

  boolean isEmpty() {
    return session.history().compensations().isEmpty();
  }

  /**
   * Runs all compensations that are not done, the last one first.
   *
   * @return whether all have ended; the others wait for another attempt
   */
  boolean run() {
    boolean haveAllEnded = true;
    for (Entry entry : session.history().compensations()) {
      haveAllEnded &= entry.state().hasEnded() || run(entry);
    }
    return haveAllEnded;
  }

  private boolean run(Entry entry) {
    if (entry.state().isWaiting() && !entry.isDue(session.history().now())) {
      return false;
    }
    session.requireLease();
    WorkflowStep<?> step = steps.get(entry.path());
    if (step == null) {
      return fail(entry, new IllegalStateException("the code no longer has this step"));
    }
    Effect<?, ?> effect = step.compensation().orElseThrow();
    try {
      StepDeadline.<@Nullable Object>run(
          session,
          step.deadline(),
          () ->
              effect.execute(
                  session.execution(entry.path(), entry.name(), entry.failedAttempts())));
    } catch (Unwind e) {
      throw e;
    } catch (Exception | Error e) { // An error must not keep the others from running.
      StepDeadline.requireNoInterrupt(e);
      return failed(entry, step, e);
    }
    session.record(write(entry, EntryState.DONE).failedAttempts(entry.failedAttempts()));
    return true;
  }

  private boolean failed(Entry entry, WorkflowStep<?> step, Throwable thrown) {
    if (thrown instanceof JobException.Snooze it) {
      wait(entry, entry.failedAttempts(), it.delay(), thrown);
      return false;
    }
    int attempts = entry.failedAttempts() + 1;
    if (thrown instanceof JobException.GiveUp || attempts >= step.retries().attempts()) {
      return fail(entry, thrown);
    }
    Duration delay =
        thrown instanceof JobException.Retry it ? it.delay() : step.retries().delayAfter(attempts);
    wait(entry, attempts, delay, thrown);
    return false;
  }

  private void wait(Entry entry, int failedAttempts, Duration delay, Throwable thrown) {
    session.record(
        write(entry, EntryState.WAITING)
            .failedAttempts(failedAttempts)
            .failure(session.engine().values().packFailure(place(entry), thrown))
            .delay(delay));
  }

  private boolean fail(Entry entry, Throwable why) {
    session.record(
        write(entry, EntryState.FAILED)
            .failedAttempts(entry.failedAttempts() + 1)
            .failure(session.engine().values().packFailure(place(entry), why)));
    return true;
  }

  private Place place(Entry entry) {
    return session.place(entry.path());
  }

  private static EntryWrite write(Entry entry, EntryState state) {
    return EntryWrite.of(entry.path(), EntryKind.COMPENSATION, entry.name(), state);
  }
}
