package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Effect;
import dev.once.EffectState;
import dev.once.FailurePolicy;
import dev.once.Headers;
import dev.once.Request;
import dev.once.Result;
import dev.once.StoreException;
import dev.once.Terms;
import dev.once.spi.State;
import dev.once.testkit.InterceptedStore.Call;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What an exception of the effect means for its record, and what the caller gets. */
abstract class EffectFailureTests extends EngineTests {
  private final IOException failure = new IOException("no answer");

  private final Effect<@Nullable String, IOException> failing =
      execution -> {
        throw failure;
      };

  EffectFailureTests(StoreUnderTest subject) {
    super(subject);
  }

  @Test
  void passesACheckedExceptionUnwrapped() {
    assertThatThrownBy(() -> once.run(request, failing))
        .isSameAs(failure)
        .hasNoSuppressedExceptions();
  }

  @Test
  void opensTheKeyOfARerunnableEffectThatFailed() {
    fails(request);

    assertThat(recordNow().state()).isEqualTo(State.OPEN);
    assertThat(once.run(request, this::charge)).isEqualTo(executed("receipt 1"));
  }

  @Test
  void opensTheKeyAfterAnErrorToo() {
    assertThatThrownBy(
            () ->
                once.run(
                    request,
                    execution -> {
                      throw new StackOverflowError();
                    }))
        .isInstanceOf(StackOverflowError.class);

    assertThat(once.run(request, this::charge)).isEqualTo(executed("receipt 1"));
  }

  @Test
  void leavesAnEffectThatMustAskUncertain() {
    fails(askingRequest);

    assertThat(recordNow().state()).isEqualTo(State.UNCERTAIN);
    assertThat(once.run(askingRequest, MUST_NOT_RUN)).isEqualTo(new Result.Uncertain<>(key));
  }

  @Test
  void opensTheKeyWhenThePolicyKnowsThatNothingHappened() {
    fails(askingRequest.withFailurePolicy(thrown -> EffectState.didNotHappen()));

    assertThat(recordNow().state()).isEqualTo(State.OPEN);
    assertThat(once.run(askingRequest, this::charge)).isEqualTo(executed("receipt 1"));
  }

  @Test
  void remembersAFinalFailure() throws IOException {
    Request<@Nullable String> declining =
        request.withFailurePolicy(thrown -> EffectState.failed("declined: " + thrown.getMessage()));

    assertThat(once.run(declining, failing))
        .isEqualTo(new Result.Executed<>(key, "declined: no answer", true));

    assertThat(recordNow().state()).isEqualTo(State.FAILED);
    assertThat(once.run(declining, MUST_NOT_RUN))
        .isEqualTo(new Result.Replayed<>(key, "declined: no answer", Headers.NONE, true));
  }

  @Test
  void keepsAFinalFailureForTheRetentionOfFailures() throws IOException {
    Request<@Nullable String> declining =
        request
            .withTerms(Terms.DEFAULT.withRetention(Duration.ofHours(9), Duration.ofHours(1)))
            .withFailurePolicy(thrown -> EffectState.failed("declined"));
    once.run(declining, failing);

    elapse(Duration.ofMinutes(59));
    assertThat(once.run(declining, MUST_NOT_RUN).orThrow()).isEqualTo("declined");

    elapse(Duration.ofMinutes(1));
    assertThat(once.run(declining, this::charge)).isEqualTo(executed("receipt 1"));
  }

  @Test
  void remembersAnExceptionThatMeansSuccess() throws IOException {
    Request<@Nullable String> lenient =
        askingRequest.withFailurePolicy(thrown -> EffectState.happened("already paid"));

    assertThat(once.run(lenient, failing)).isEqualTo(executed("already paid"));

    assertThat(recordNow().state()).isEqualTo(State.COMPLETED);
  }

  @Test
  void leavesItToTheRecoveryWhenThePolicyCannotTell() {
    fails(request.withFailurePolicy(thrown -> EffectState.unknown()));

    assertThat(recordNow().state()).isEqualTo(State.IN_PROGRESS);
    assertThat(once.run(request, this::charge)).isEqualTo(executed("receipt 1"));
  }

  @Test
  void tellsHarmlessExceptionsFromOthersByType() {
    Request<@Nullable String> typed =
        askingRequest.withFailurePolicy(
            FailurePolicy.didNotHappenOn(Set.of(ConnectException.class)));

    assertThatThrownBy(
            () ->
                once.run(
                    typed,
                    execution -> {
                      throw new ConnectException("refused");
                    }))
        .isInstanceOf(ConnectException.class);
    assertThat(recordNow().state()).isEqualTo(State.OPEN);

    fails(typed);
    assertThat(recordNow().state()).isEqualTo(State.UNCERTAIN);
  }

  @Test
  void showsTheEffectsExceptionWhenThePolicyThrowsToo() {
    RuntimeException mistake = new IllegalStateException("policy");
    Request<@Nullable String> mistaken =
        request.withFailurePolicy(
            thrown -> {
              throw mistake;
            });

    assertThatThrownBy(() -> once.run(mistaken, failing))
        .isSameAs(failure)
        .hasSuppressedException(mistake);
  }

  @Test
  void showsTheEffectsExceptionWhenTheKeyCannotBeGivenBack() {
    FailingStore broken = new FailingStore(store()).losingRequests(Call.RELEASE, 1);

    assertThatThrownBy(() -> engine(broken).run(request, failing))
        .isSameAs(failure)
        .satisfies(
            it -> assertThat(it.getSuppressed()).hasOnlyElementsOfType(StoreException.class));
  }

  @Test
  void showsEachRunAHigherFenceAndItsAttempt() {
    StringBuilder seen = new StringBuilder();
    long[] fences = new long[2];
    Effect<@Nullable String, IOException> looking =
        execution -> {
          assertThat(execution.key()).isEqualTo(key);
          assertThat(execution.leaseLost()).isFalse();
          fences[execution.attempt() - 1] = execution.fence();
          seen.append(execution.attempt());
          throw failure;
        };

    assertThatThrownBy(() -> once.run(request, looking)).isSameAs(failure);
    assertThatThrownBy(() -> once.run(request, looking)).isSameAs(failure);

    assertThat(seen).hasToString("12");
    assertThat(fences[1]).isGreaterThan(fences[0]);
  }

  @Test
  void stopsRerunningAnEffectThatKeepsKillingItsProcess() {
    Request<@Nullable String> twice = request.withTerms(Terms.DEFAULT.withMaxAttempts(2));
    vanishElsewhere(twice);
    vanishElsewhere(twice);

    assertThat(once.run(twice, MUST_NOT_RUN)).isEqualTo(new Result.Uncertain<>(key));
  }

  private void fails(Request<@Nullable String> request) {
    assertThatThrownBy(() -> once.run(request, failing)).isSameAs(failure);
  }

  private Result<@Nullable String> executed(String value) {
    return new Result.Executed<>(key, value);
  }
}
