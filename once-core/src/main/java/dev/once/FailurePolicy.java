package dev.once;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether an effect that threw an exception happened. Without a policy, every exception
 * means "did not happen" if the operation's recovery is {@link Recovery#RERUN}, and "unknown" if it
 * is {@link Recovery#ASK}.
 */
@FunctionalInterface
public interface FailurePolicy<T extends @Nullable Object> {
  EffectState<T> classify(Throwable failure);

  /** Exceptions of these types mean "did not happen"; any other means "unknown". */
  static <T extends @Nullable Object> FailurePolicy<T> didNotHappenOn(
      Set<Class<? extends Throwable>> types) {
    Set<Class<? extends Throwable>> harmless = Set.copyOf(types);
    return failure ->
        harmless.stream().anyMatch(type -> type.isInstance(failure))
            ? EffectState.didNotHappen()
            : EffectState.unknown();
  }
}
