package dev.once.workflow;

import dev.once.workflow.TakeSignalStatement.Taken;
import dev.once.workflow.Unwind.Reason;
import dev.once.workflow.Values.Place;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The calls that wait for time or for a signal. */
final class WaitCalls {
  private static final String TIMER = "sleep";

  private WaitCalls() {}

  /**
   * Waits for a timer.
   *
   * @param due sets when it is due
   */
  static @Nullable Void sleep(
      RunSession session, RunContext context, String path, UnaryOperator<EntryWrite> due) {
    Optional<Entry> known = session.history().expect(path, EntryKind.TIMER, TIMER, null);
    if (known.isPresent() && known.get().state() == EntryState.DONE) {
      return null;
    }
    context.requireMayContinue();
    if (known.isEmpty()) {
      session.record(due.apply(EntryWrite.of(path, EntryKind.TIMER, TIMER, EntryState.WAITING)));
      throw Unwind.because(Reason.SUSPENDED);
    }
    if (!known.get().isDue(session.history().now())) {
      throw Unwind.because(Reason.SUSPENDED);
    }
    session.record(EntryWrite.of(path, EntryKind.TIMER, TIMER, EntryState.DONE));
    return null;
  }

  /** Waits for a signal; empty if none arrived in time. */
  static <T> Optional<T> signal(
      RunSession session,
      RunContext context,
      String path,
      SignalType<T> type,
      Optional<Duration> timeout) {
    Optional<Entry> known = session.history().expect(path, EntryKind.SIGNAL, type.name(), null);
    if (known.isPresent() && known.get().state().hasEnded()) {
      return value(session, type, known.get().state(), known.get().value());
    }
    context.requireMayContinue();
    Taken taken =
        session.persist(
            "waiting for a signal",
            it -> TakeSignalStatement.execute(it, session.run(), path, type.name(), timeout));
    session.accept(taken.ownership());
    EntryWrite.of(path, EntryKind.SIGNAL, type.name(), taken.state())
        .value(taken.value())
        .addTo(session.history());
    if (taken.state() == EntryState.WAITING) {
      throw Unwind.because(Reason.SUSPENDED);
    }
    return value(session, type, taken.state(), taken.value());
  }

  private static <T> Optional<T> value(
      RunSession session, SignalType<T> type, EntryState state, byte @Nullable [] packed) {
    if (state != EntryState.DONE) {
      return Optional.empty();
    }
    Place place = Place.signal(session.run().id().tenant(), type.name());
    return Optional.of(
        Objects.requireNonNull(session.<@Nullable T>unpack(place, type.codec(), packed)));
  }
}
