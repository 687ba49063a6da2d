package dev.once.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.BeginResult;
import dev.once.Codec;
import dev.once.InMemoryRecordStore;
import dev.once.Once;
import dev.once.Result;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Steps run on any kind of thread, and a workflow may change threads between steps. */
class ThreadsTest {
  private static final RunId RUN = new RunId("acme", "order-42");
  private static final Step<@Nullable String> FIRST = Step.of("first", Codec.text());
  private static final Step<@Nullable String> SECOND = Step.of("second", Codec.text());

  private final Once once = Once.over(new InMemoryRecordStore());
  private final Steps steps = Steps.over(once);
  private final AtomicInteger effects = new AtomicInteger();

  @AfterEach
  void close() {
    once.close();
  }

  static Stream<ExecutorService> executors() throws ReflectiveOperationException {
    Stream<ExecutorService> everywhere =
        Stream.of(Executors.newFixedThreadPool(8), new ForkJoinPool(8));
    return Runtime.version().feature() < 21
        ? everywhere
        : Stream.concat(everywhere, Stream.of(virtualThreads()));
  }

  private static ExecutorService virtualThreads() throws ReflectiveOperationException {
    return (ExecutorService)
        Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
  }

  @ParameterizedTest
  @MethodSource("executors")
  void runOnceWhicheverThreadsCompete(ExecutorService executor) throws Exception {
    Callable<Result<@Nullable String>> workflow = this::workflow;
    try {
      executor.invokeAll(List.of(workflow, workflow, workflow, workflow, workflow, workflow));
    } finally {
      executor.shutdown();
    }

    assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    assertThat(workflow().orThrow()).isEqualTo("second after first");
    assertThat(effects).hasValue(2);
  }

  @Test
  void goOnInTheCallbackOfAnExecutor() throws Exception {
    CompletableFuture<String> workflow =
        CompletableFuture.supplyAsync(() -> step(FIRST, "first"))
            .thenApplyAsync(first -> step(SECOND, "second after " + first));

    assertThat(workflow.get(10, TimeUnit.SECONDS)).isEqualTo("second after first");
    assertThat(step(SECOND, "never")).isEqualTo("second after first");
    assertThat(effects).hasValue(2);
  }

  @Test
  void endOnAnotherThreadThanTheyBeganOn() throws Exception {
    BeginResult.Running<@Nullable String> running =
        (BeginResult.Running<@Nullable String>) steps.begin(RUN, FIRST, "{}");
    CompletableFuture.runAsync(() -> running.complete("from afar")).get(10, TimeUnit.SECONDS);

    assertThat(step(FIRST, "never")).isEqualTo("from afar");
    assertThat(effects).hasValue(0);
  }

  private Result<@Nullable String> workflow() {
    String first = step(FIRST, "first");
    return steps.run(RUN, SECOND, "{}", it -> effect("second after " + first));
  }

  private String step(Step<@Nullable String> step, String value) {
    return String.valueOf(steps.run(RUN, step, "{}", it -> effect(value)).orThrow());
  }

  private String effect(String value) {
    effects.incrementAndGet();
    return value;
  }
}
