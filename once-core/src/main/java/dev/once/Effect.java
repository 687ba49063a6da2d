package dev.once;

import org.jspecify.annotations.Nullable;

/**
 * The thing that must happen once. Its exceptions reach the caller of {@link Once#run} unwrapped.
 */
@FunctionalInterface
public interface Effect<T extends @Nullable Object, X extends Exception> {
  T execute(Execution execution) throws X;
}
