package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.once.Codec;
import dev.once.EngineEvent;
import dev.once.Headers;
import dev.once.Request;
import dev.once.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An interrupt of the caller is for its effect, and changes nothing that is recorded. */
abstract class InterruptTests extends EngineTests {
  private static final int CALLERS = 8;
  private static final int CALLS_PER_CALLER = 40;

  /** A call records its outcome within this time after the effect. */
  private static final long AFTER_EFFECT_NANOS = TimeUnit.MICROSECONDS.toNanos(600);

  InterruptTests(StoreUnderTest subject) {
    super(subject);
  }

  @Test
  void answersPlatformThreadsThatAreInterrupted() throws Exception {
    assertAnswersInterrupted(ThreadKind.PLATFORM);
  }

  @Test
  void answersVirtualThreadsThatAreInterrupted() throws Exception {
    assumeTrue(ThreadKind.VIRTUAL.isAvailable(), "virtual threads");
    assertAnswersInterrupted(ThreadKind.VIRTUAL);
  }

  private void assertAnswersInterrupted(ThreadKind kind) throws Exception {
    List<Callable<Integer>> callers = new ArrayList<>();
    try (InterruptStorm storm = InterruptStorm.start(42)) {
      for (int i = 0; i < CALLERS; i++) {
        InterruptStorm.Caller caller = storm.newCaller();
        callers.add(
            () -> {
              for (int call = 0; call < CALLS_PER_CALLER; call++) {
                executeAndReplayWhileInterrupted(caller);
              }
              return CALLS_PER_CALLER;
            });
      }
      ConcurrentCalls.together(kind.factory(), callers);
    }

    assertThat(runs).hasValue(CALLERS * CALLS_PER_CALLER);
    assertThat(events.types())
        .doesNotContain(EngineEvent.OutcomeUnknown.class, EngineEvent.LeaseLost.class);
  }

  private void executeAndReplayWhileInterrupted(InterruptStorm.Caller caller) {
    Request<@Nullable String> request = Request.of(newKey(), Codec.text());

    Result<@Nullable String> first =
        caller.<Result<@Nullable String>>call(
            () ->
                once.run(
                    request,
                    execution -> {
                      runs.incrementAndGet();
                      caller.interruptWithin(AFTER_EFFECT_NANOS);
                      return "receipt";
                    }));
    Result<@Nullable String> second =
        caller.<Result<@Nullable String>>call(() -> once.run(request, MUST_NOT_RUN));

    assertThat(first).isEqualTo(new Result.Executed<>(request.key(), "receipt"));
    assertThat(second).isEqualTo(new Result.Replayed<>(request.key(), "receipt", Headers.NONE));
  }
}
