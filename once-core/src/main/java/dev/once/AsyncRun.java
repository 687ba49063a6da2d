package dev.once;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One effect whose end is a {@link CompletionStage}. Calls to the store block, so they run on the
 * executor.
 */
final class AsyncRun<T extends @Nullable Object> {
  private final LeasedRun<T> run;
  private final Executor executor;

  AsyncRun(LeasedRun<T> run, Executor executor) {
    this.run = run;
    this.executor = executor;
  }

  CompletableFuture<Result<T>> start(AsyncEffect<T> effect) {
    CompletableFuture<T> ended = new CompletableFuture<>();
    try {
      relay(Objects.requireNonNull(effect.execute(run), "the effect returned no stage"), ended);
    } catch (Throwable failure) {
      ended.completeExceptionally(failure);
    }
    return ended.handleAsync(this::end, this::execute);
  }

  /** Ends {@code to} as {@code from} ends; what is done to {@code to} does not reach it. */
  static <V extends @Nullable Object> void relay(CompletionStage<V> from, CompletableFuture<V> to) {
    var unused =
        from.whenComplete(
            (value, failure) -> {
              if (failure == null) {
                to.complete(value);
              } else {
                to.completeExceptionally(failure);
              }
            });
  }

  private Result<T> end(T value, @Nullable Throwable failure) {
    if (failure != null) {
      return failed(failure);
    }
    run.complete(value);
    return new Result.Executed<>(run.key(), value);
  }

  private Result<T> failed(Throwable failure) {
    Throwable real = failure;
    while (real instanceof CompletionException && real.getCause() != null) {
      real = real.getCause();
    }
    Result<T> result = run.failed(real);
    if (result == null) {
      throw new CompletionException(real);
    }
    return result;
  }

  /**
   * If the executor does not take it, the outcome is recorded on this thread: it must not be lost.
   * A task that the executor took all the same runs only once.
   */
  private void execute(Runnable task) {
    try {
      executor.execute(task);
    } catch (RuntimeException | Error e) {
      task.run();
    }
  }
}
