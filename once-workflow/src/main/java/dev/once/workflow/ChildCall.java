package dev.once.workflow;

import dev.once.steps.RunId;
import dev.once.workflow.Unwind.Reason;
import dev.once.workflow.Values.Place;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One call of a child run. */
final class ChildCall<I extends @Nullable Object, O extends @Nullable Object> {
  private final RunSession session;
  private final RunContext context;
  private final String path;
  private final Workflow<I, O> workflow;
  private final RunId child;

  ChildCall(
      RunSession session, RunContext context, String path, Workflow<I, O> workflow, RunId child) {
    this.session = session;
    this.context = context;
    this.path = path;
    this.workflow = workflow;
    this.child = child;
  }

  O run(I input) {
    Optional<Entry> known =
        session.history().expect(path, EntryKind.CHILD, workflow.name(), child.value());
    if (known.isPresent() && known.get().state() == EntryState.DONE) {
      Place place = Place.value(child.tenant(), workflow.name());
      return session.unpack(place, workflow.value(), known.get().value());
    }
    if (known.isPresent() && known.get().state() == EntryState.FAILED) {
      throw failed(known.get());
    }
    if (known.isPresent() && session.isStopped()) {
      session.cancelChild(child);
    }
    context.requireMayContinue();
    if (known.isEmpty()) {
      start(input);
    }
    throw Unwind.because(Reason.SUSPENDED);
  }

  private StepFailedException failed(Entry entry) {
    Place place = Place.failure(child.tenant(), workflow.name());
    String reason =
        entry.failure() == null
            ? "it was cancelled"
            : session.engine().values().unpackFailure(place, entry.failure());
    return new StepFailedException(workflow.name(), reason, null);
  }

  /** Starts the child together with the entry that waits for it. */
  private void start(I input) {
    EntryWrite entry =
        EntryWrite.of(path, EntryKind.CHILD, workflow.name(), EntryState.WAITING)
            .input(child.value());
    RunStarter starter = new RunStarter(session.engine());
    RunStarter.Start<I> start =
        new RunStarter.Start<>(
            child,
            workflow,
            input,
            Optional.of(new StartStatement.Parent(session.run().id(), path)));
    try {
      session.accept(
          session.persist(
              () ->
                  session
                      .engine()
                      .jobs()
                      .enqueueWith(
                          "starting a child",
                          (connection, jobs) -> {
                            Ownership ownership = record(connection, entry);
                            if (ownership != Ownership.LOST) {
                              starter.execute(connection, start, jobs);
                            }
                            return ownership;
                          })));
    } catch (RunMismatchException e) {
      byte[] failure =
          session.engine().values().packFailure(Place.failure(child.tenant(), workflow.name()), e);
      session.record(
          EntryWrite.of(path, EntryKind.CHILD, workflow.name(), EntryState.FAILED)
              .input(child.value())
              .failure(failure));
      throw new StepFailedException(workflow.name(), e.toString(), e);
    }
    entry.addTo(session.history());
  }

  private Ownership record(Connection connection, EntryWrite entry) throws SQLException {
    return RecordStatement.execute(connection, session.run(), entry);
  }
}
