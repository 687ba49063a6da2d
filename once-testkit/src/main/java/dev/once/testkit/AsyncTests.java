package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.AsyncEffect;
import dev.once.EffectState;
import dev.once.FailurePolicy;
import dev.once.Headers;
import dev.once.Result;
import dev.once.spi.State;
import dev.once.testkit.InterceptedStore.Call;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Effects that end with a {@code CompletionStage}. */
abstract class AsyncTests extends EngineTests {
  private final CompletableFuture<String> end = new CompletableFuture<>();
  private final AsyncEffect<@Nullable String> ending = execution -> end;

  AsyncTests(StoreUnderTest subject) {
    super(subject);
  }

  @Test
  void recordsTheOutcomeOfAnEffectThatEndsLater() throws Exception {
    CompletableFuture<Result<@Nullable String>> result = start();
    assertThat(once.run(request, MUST_NOT_RUN)).isInstanceOf(Result.Held.class);

    end.complete("receipt 1");

    assertThat(soon(result)).isEqualTo(new Result.Executed<>(key, "receipt 1"));
    assertThat(once.run(request, MUST_NOT_RUN))
        .isEqualTo(new Result.Replayed<>(key, "receipt 1", Headers.NONE));
  }

  @Test
  void answersFromTheRecordWithoutBeginningTheEffect() throws Exception {
    once.run(request, this::charge);

    CompletableFuture<Result<@Nullable String>> result =
        once.runAsync(
            request,
            execution -> {
              throw new AssertionError("must not begin");
            },
            ForkJoinPool.commonPool());

    assertThat(soon(result)).isEqualTo(new Result.Replayed<>(key, "receipt 1", Headers.NONE));
  }

  @Test
  void releasesTheKeyOfAnEffectThatFailedLater() throws Exception {
    CompletableFuture<Result<@Nullable String>> result = start();

    end.completeExceptionally(new CompletionException(new IOException("no answer")));

    assertThatThrownBy(() -> soon(result)).hasRootCauseInstanceOf(IOException.class);
    assertThat(once.run(request, this::charge)).isInstanceOf(Result.Executed.class);
  }

  @Test
  void releasesTheKeyOfAnEffectThatDidNotBegin() throws Exception {
    CompletableFuture<Result<@Nullable String>> result =
        once.runAsync(
            request,
            execution -> {
              throw new IOException("not sent");
            },
            ForkJoinPool.commonPool());

    assertThatThrownBy(() -> soon(result)).hasRootCauseInstanceOf(IOException.class);
    assertThat(recordNow().state()).isEqualTo(State.OPEN);
  }

  /** The trap: the key is renewed for ever by an effect that never began. */
  @Test
  void releasesTheKeyOfAnEffectThatReturnedNoStage() throws Exception {
    CompletableFuture<Result<@Nullable String>> result =
        once.runAsync(request, execution -> castToNonNull(null), ForkJoinPool.commonPool());

    assertThatThrownBy(() -> soon(result)).hasRootCauseInstanceOf(NullPointerException.class);
    assertThat(recordNow().state()).isEqualTo(State.OPEN);
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T castToNonNull(@Nullable T it) {
    return it;
  }

  @Test
  void classifiesAFailureThatCameLater() throws Exception {
    FailurePolicy<@Nullable String> declining =
        thrown -> EffectState.failed("card " + thrown.getMessage());
    CompletableFuture<Result<@Nullable String>> result =
        once.runAsync(request.withFailurePolicy(declining), ending, ForkJoinPool.commonPool());

    end.completeExceptionally(new IOException("declined"));

    assertThat(soon(result)).isEqualTo(new Result.Executed<>(key, "card declined", true));
  }

  /** The trap: the outcome is lost with the rejected task, and the lease is renewed for an hour. */
  @Test
  void recordsTheOutcomeAlsoIfTheExecutorWasShutDownMeanwhile() throws Exception {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    ObservedStore observed = new ObservedStore(store());
    CompletableFuture<Result<@Nullable String>> result =
        engine(observed).runAsync(request, ending, executor);
    observed.await(Call.CLAIM, 1);
    executor.shutdown();
    assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();

    end.complete("receipt 1");

    assertThat(soon(result)).isEqualTo(new Result.Executed<>(key, "receipt 1"));
  }

  /** The trap: the grant has no owner any more, and its lease is renewed for an hour. */
  @Test
  void recordsTheOutcomeOfACallThatWasCancelledBeforeItsClaim() throws Exception {
    List<Runnable> tasks = new ArrayList<>();
    CompletableFuture<Result<@Nullable String>> result = once.runAsync(request, ending, tasks::add);
    assertThat(result.cancel(true)).isTrue();
    tasks.remove(0).run();
    end.complete("receipt 1");
    tasks.remove(0).run();

    assertThat(once.run(request, MUST_NOT_RUN))
        .isEqualTo(new Result.Replayed<>(key, "receipt 1", Headers.NONE));
  }

  @Test
  void claimsNothingIfTheExecutorRejectsTheCall() {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    executor.shutdown();

    assertThatThrownBy(() -> once.runAsync(request, ending, executor))
        .isInstanceOf(RejectedExecutionException.class);
    assertThat(store().find(key)).isEmpty();
  }

  /** Starts the effect, and returns when it has begun. */
  private CompletableFuture<Result<@Nullable String>> start() throws InterruptedException {
    ObservedStore observed = new ObservedStore(store());
    CompletableFuture<Result<@Nullable String>> result =
        engine(observed).runAsync(request, ending, ForkJoinPool.commonPool());
    observed.await(Call.CLAIM, 1);
    return result;
  }
}
