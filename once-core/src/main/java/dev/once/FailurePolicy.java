package dev.once;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges what an exception of an effect says about the world. Without a policy, an operation that
 * may be rerun counts every exception as "did not happen", and one that must ask as "unknown".
 */
@FunctionalInterface
public interface FailurePolicy<T extends @Nullable Object> {
  EffectState<T> classify(Throwable failure);

  /** Exceptions of these types mean that nothing happened; after any other nobody can tell. */
  static <T extends @Nullable Object> FailurePolicy<T> didNotHappenOn(
      Set<Class<? extends Throwable>> types) {
    Set<Class<? extends Throwable>> harmless = Set.copyOf(types);
    return failure ->
        harmless.stream().anyMatch(type -> type.isInstance(failure))
            ? EffectState.didNotHappen()
            : EffectState.unknown();
  }
}
