package dev.once;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** An effect that ends later, on any thread: for {@link Once#runAsync}. */
@FunctionalInterface
public interface AsyncEffect<T extends @Nullable Object> {
  /** Begins the effect. It is done when the stage completes. */
  CompletionStage<T> execute(Execution execution) throws Exception;
}
