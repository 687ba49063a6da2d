package dev.once.workflow;

import dev.once.Fingerprint;
import dev.once.UnreadableOutcomeException;
import dev.once.jobs.Job;
import dev.once.jobs.JobException;
import dev.once.jobs.JobRun;
import dev.once.steps.RunId;
import dev.once.workflow.EndStatement.Parent;
import dev.once.workflow.SuspendStatement.Suspended;
import dev.once.workflow.Unwind.Reason;
import dev.once.workflow.Values.Place;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Continues runs of one version of a workflow: calls its code, which goes on after what the history
 * has, until it ends or has to wait.
 */
record Activation<I extends @Nullable Object, O extends @Nullable Object>(
    Engine engine, Workflow<I, O> workflow, WorkflowFunction<I, O> function) {
  /** Enough to tell the children of a run apart, and few enough for the key of a job. */
  private static final int HASH_CHARS = 24;

  /** What the code did when it was called. */
  private enum Step {
    /** The run waits, has ended, or belongs to another activation. */
    OVER,
    /** Something new is there: the run goes on at once. */
    AGAIN
  }

  /** Handles a job that continues a run. */
  void run(JobRun jobRun) throws Exception {
    WakeJob job = WakeJob.read(jobRun);
    Step step;
    do {
      Optional<BegunRun> begun =
          engine
              .transactions()
              .run(
                  "beginning an activation",
                  it -> BeginStatement.execute(it, job, jobRun.id(), jobRun.fence()));
      step =
          begun.isEmpty()
              ? Step.OVER
              : advance(new RunSession(begun.get(), engine, jobRun::leaseLost));
    } while (step == Step.AGAIN);
  }

  private Step advance(RunSession session) throws Exception {
    BegunRun run = session.run();
    O value;
    try {
      value = call(session);
    } catch (Unwind e) {
      return unwound(session, e);
    } catch (Exception e) {
      if (StepDeadline.isInterrupt(e)) {
        throw e; // Of the worker, which stops or lost its lease: the code has not failed.
      }
      return fail(session, e);
    }
    if (run.state() != RunState.RUNNING) {
      // It failed or was cancelled in an earlier activation, which this one only continues.
      return compensate(session);
    }
    byte[] packed;
    try {
      packed =
          engine
              .values()
              .pack(Place.value(run.id().tenant(), run.workflow()), workflow.value(), value);
    } catch (RuntimeException e) {
      return fail(session, e); // No later activation could store it either.
    }
    return end(session, RunState.COMPLETED, packed);
  }

  /** Returns why the code cannot continue {@code run}, if it cannot. */
  Optional<String> problem(BegunRun run) {
    RunSession session = new RunSession(run, engine, () -> false);
    session.stop();
    try {
      call(session);
    } catch (Unwind e) {
      return Optional.ofNullable(e.getCause()).map(Activation::describe);
    } catch (Exception e) {
      return Optional.empty(); // The run will fail, as its code says.
    }
    return Optional.empty();
  }

  private static String describe(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    if (cause instanceof UnreadableOutcomeException it) {
      String what = Values.Place.isInput(it.key()) ? "its input" : "a value of its history";
      return what + " cannot be read: " + message;
    }
    return message;
  }

  /** Calls the code from its start. */
  O call(RunSession session) throws Exception {
    BegunRun run = session.run();
    Place place = Place.input(run.id().tenant(), run.workflow());
    I input;
    try {
      input = session.unpack(place, workflow.input(), run.input());
    } catch (RuntimeException e) {
      throw Unwind.brokenBy(e); // For lack of a key, for example: the run must not fail by it.
    }
    RunContext context = new RunContext(session, "", null);
    context.begin();
    O value;
    try {
      value = function.run(context, input);
    } catch (Throwable e) {
      throw rethrow(context.unwoundOr(e));
    }
    if (run.state() == RunState.RUNNING) {
      context.end();
    }
    return value;
  }

  private static Error rethrow(Throwable thrown) throws Exception {
    if (thrown instanceof Error it) {
      throw it;
    }
    throw (Exception) thrown;
  }

  private Step unwound(RunSession session, Unwind unwind) throws Exception {
    return switch (unwind.reason()) {
      case SUSPENDED -> suspend(session);
      case STOPPED ->
          session.run().state() == RunState.RUNNING ? cancel(session) : compensate(session);
      case LOST -> Step.OVER;
      case BROKEN -> throw broken(session, unwind.getCause());
    };
  }

  private static Error broken(RunSession session, @Nullable Throwable cause) throws Exception {
    if (cause instanceof HistoryMismatchException || cause instanceof HistoryFullException) {
      throw new JobException.GiveUp(
          session.run() + " cannot continue: " + cause.getMessage(), cause);
    }
    return rethrow(cause == null ? new IllegalStateException("the code ended") : cause);
  }

  private Step suspend(RunSession session) {
    if (session.isStopped() && !session.isCompensating()) {
      return Step.AGAIN; // A request to cancel arrived meanwhile.
    }
    BegunRun run = session.run();
    Suspended suspended =
        session.persist(
            () ->
                engine
                    .jobs()
                    .enqueueWith(
                        "letting a run wait",
                        (connection, jobs) -> {
                          Suspended it =
                              SuspendStatement.execute(connection, run, session.isCompensating());
                          it.wakeAt()
                              .ifPresent(
                                  at ->
                                      jobs.add(
                                          WakeJob.timer(
                                              engine.queue(), type(), run.id(), run.fence(), at)));
                          return it;
                        }));
    return suspended.isOver() ? Step.OVER : Step.AGAIN;
  }

  private Step fail(RunSession session, Exception thrown) {
    if (session.run().state() != RunState.RUNNING) {
      return compensate(session);
    }
    BegunRun run = session.run();
    byte[] failure =
        engine.values().packFailure(Place.failure(run.id().tenant(), run.workflow()), thrown);
    return beginCompensation(session, failure);
  }

  private Step cancel(RunSession session) {
    return beginCompensation(session, null);
  }

  private Step beginCompensation(RunSession session, byte @Nullable [] failure) {
    if (session.compensations().isEmpty()) {
      return end(session, failure == null ? RunState.CANCELLED : RunState.FAILED, null, failure);
    }
    boolean isOwned =
        session.persist(
            "beginning compensations",
            it -> CompensateStatement.execute(it, session.run(), failure));
    session.beginCompensation();
    return isOwned ? compensate(session, failure != null) : Step.OVER;
  }

  private Step compensate(RunSession session) {
    return compensate(session, session.run().failure() != null);
  }

  private Step compensate(RunSession session, boolean hasFailed) {
    try {
      if (!session.compensations().run()) {
        return suspend(session);
      }
    } catch (Unwind e) {
      if (e.reason() == Reason.LOST) {
        return Step.OVER;
      }
      throw e;
    }
    return end(session, hasFailed ? RunState.FAILED : RunState.CANCELLED, null, null);
  }

  private Step end(RunSession session, RunState state, byte @Nullable [] value) {
    return end(session, state, value, null);
  }

  private Step end(
      RunSession session, RunState state, byte @Nullable [] value, byte @Nullable [] failure) {
    BegunRun run = session.run();
    if (!run.hasParent() && state == RunState.COMPLETED) {
      session.persist(
          () -> {
            engine.writes().complete(run, value);
            return state;
          });
      return Step.OVER;
    }
    if (!run.hasParent()) {
      session.persist("ending a run", it -> EndStatement.execute(it, run, state, value, failure));
      return Step.OVER;
    }
    session.persist(
        () ->
            engine
                .jobs()
                .enqueueWith(
                    "ending a child run",
                    (connection, jobs) -> {
                      EndStatement.execute(connection, run, state, value, failure)
                          .map(it -> continuation(run, it))
                          .ifPresent(jobs::add);
                      return state;
                    }));
    return Step.OVER;
  }

  private Job continuation(BegunRun child, Parent parent) {
    return WakeJob.of(
        engine.queue(),
        WakeJob.type(parent.workflow(), parent.version()),
        new RunId(child.id().tenant(), parent.run()),
        "child" + childHash(child));
  }

  /** Of the fence too: a child that an operator resumes ends again. */
  private static String childHash(BegunRun child) {
    String fence = Long.toString(child.fence());
    return Fingerprint.sha256(child.id().value(), fence).digest().substring(0, HASH_CHARS);
  }

  private String type() {
    return WakeJob.type(workflow.name(), workflow.version());
  }
}
