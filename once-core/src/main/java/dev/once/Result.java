package dev.once;

import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The result of one call to {@link Once#run}. */
public sealed interface Result<T extends @Nullable Object> {
  Key key();

  /** The effect is done: this call or an earlier one executed it. */
  sealed interface Answered<T extends @Nullable Object> extends Result<T> {
    /** Returns the value of the effect, or of its failure. */
    T value();

    /** Returns whether the effect {@linkplain EffectState#failed failed for good}. */
    boolean failed();
  }

  /** This call executed the effect. */
  record Executed<T extends @Nullable Object>(Key key, T value, boolean failed)
      implements Answered<T> {
    public Executed(Key key, T value) {
      this(key, value, false);
    }
  }

  /**
   * An earlier call executed the effect; {@code value} is what that call returned and {@code
   * correlation} the ids of the call that recorded it.
   */
  record Replayed<T extends @Nullable Object>(Key key, T value, Headers correlation, boolean failed)
      implements Answered<T> {
    public Replayed(Key key, T value, Headers correlation) {
      this(key, value, correlation, false);
    }
  }

  /**
   * Another call is executing the effect and its lease runs for {@code leaseLeft} more; zero when
   * that is unknown, as while the other call's transaction is open.
   */
  record Held<T extends @Nullable Object>(Key key, Duration leaseLeft) implements Result<T> {}

  /** The key was first used for a different request. Nothing was executed. */
  record Mismatched<T extends @Nullable Object>(Key key) implements Result<T> {}

  /** An earlier call may have executed the effect; that is unknown. Nothing was executed now. */
  record Uncertain<T extends @Nullable Object>(Key key) implements Result<T> {}

  /** An earlier call executed the effect, but its answer of {@code size} bytes was not kept. */
  record Dropped<T extends @Nullable Object>(Key key, long size) implements Result<T> {}

  /** Handles every case. A new case becomes a new parameter, so the compiler finds each caller. */
  default <R extends @Nullable Object> R fold(
      Function<? super Executed<T>, ? extends R> executed,
      Function<? super Replayed<T>, ? extends R> replayed,
      Function<? super Held<T>, ? extends R> held,
      Function<? super Mismatched<T>, ? extends R> mismatched,
      Function<? super Uncertain<T>, ? extends R> uncertain,
      Function<? super Dropped<T>, ? extends R> dropped) {
    if (this instanceof Executed<T> it) return executed.apply(it);
    if (this instanceof Replayed<T> it) return replayed.apply(it);
    if (this instanceof Held<T> it) return held.apply(it);
    if (this instanceof Mismatched<T> it) return mismatched.apply(it);
    if (this instanceof Uncertain<T> it) return uncertain.apply(it);
    if (this instanceof Dropped<T> it) return dropped.apply(it);
    throw new AssertionError("unhandled result " + this);
  }

  /**
   * Handles the cases that most callers distinguish: there is an answer, another call is executing
   * the effect now, or there is none to give.
   *
   * @param refused gets a result that is mismatched, uncertain or dropped; its {@link
   *     NoAnswerException} says why
   */
  default <R extends @Nullable Object> R fold(
      Function<? super Answered<T>, ? extends R> answered,
      Function<? super Held<T>, ? extends R> held,
      Function<? super NoAnswerException, ? extends R> refused) {
    return this.<R>fold(
        answered,
        answered,
        held,
        mismatched -> refused.apply(new NoAnswerException(mismatched)),
        uncertain -> refused.apply(new NoAnswerException(uncertain)),
        dropped -> refused.apply(new NoAnswerException(dropped)));
  }

  /**
   * Returns the value, executed or replayed, of a failure too: see {@link Answered#failed}.
   *
   * @throws NoAnswerException if there is no value to give
   */
  default T orThrow() {
    if (this instanceof Answered<T> it) return it.value();
    throw new NoAnswerException(this);
  }
}
