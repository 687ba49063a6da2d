package dev.once;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What is known about an effect that did not return: it happened, it did not, or it is unknown. */
public sealed interface EffectState<T extends @Nullable Object> {
  /** It happened, and {@code value} is the answer to record. */
  record Happened<T extends @Nullable Object>(T value, boolean failed) implements EffectState<T> {}

  /** It did not happen: the next claim may execute. */
  record DidNotHappen<T extends @Nullable Object>() implements EffectState<T> {}

  /** It may or may not have happened: the operation's recovery decides. */
  record Unknown<T extends @Nullable Object>() implements EffectState<T> {}

  /** Handles every case. A new case becomes a new parameter, so the compiler finds each caller. */
  default <R extends @Nullable Object> R fold(
      Function<? super Happened<T>, ? extends R> happened,
      Function<? super DidNotHappen<T>, ? extends R> didNotHappen,
      Function<? super Unknown<T>, ? extends R> unknown) {
    if (this instanceof Happened<T> it) return happened.apply(it);
    if (this instanceof DidNotHappen<T> it) return didNotHappen.apply(it);
    if (this instanceof Unknown<T> it) return unknown.apply(it);
    throw new AssertionError("unhandled state " + this);
  }

  /** It happened, and every retry is answered with {@code value}. */
  static <T extends @Nullable Object> EffectState<T> happened(T value) {
    return new Happened<>(value, false);
  }

  /** It failed for good, and every retry is answered with {@code value}. */
  static <T extends @Nullable Object> EffectState<T> failed(T value) {
    return new Happened<>(value, true);
  }

  static <T extends @Nullable Object> EffectState<T> didNotHappen() {
    return new DidNotHappen<>();
  }

  static <T extends @Nullable Object> EffectState<T> unknown() {
    return new Unknown<>();
  }
}
