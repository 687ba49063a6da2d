package dev.once.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Codec;
import dev.once.EffectState;
import dev.once.InMemoryRecordStore;
import dev.once.Once;
import dev.once.Result;
import dev.once.Terms;
import dev.once.json.JsonRefusedException;
import dev.once.testkit.TestClock;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StepsTest {
  private static final RunId RUN = new RunId("acme", "order-42");
  private static final Step<@Nullable String> CHARGE = Step.of("charge", Codec.text());
  private static final String INPUT = "{\"amount\": 40, \"currency\": \"EUR\"}";

  private final TestClock clock = new TestClock();
  private final Once once = Once.over(new InMemoryRecordStore(clock));
  private final Steps steps = Steps.over(once);
  private final AtomicInteger charges = new AtomicInteger();

  @AfterEach
  void close() {
    once.close();
  }

  @Test
  void answersADoneStepWithWhatItReturned() {
    Result<@Nullable String> first = charge(RUN, INPUT);
    Result<@Nullable String> second = charge(RUN, INPUT);

    assertThat(first).isInstanceOf(Result.Executed.class);
    assertThat(second).isInstanceOf(Result.Replayed.class);
    assertThat(second.orThrow()).isEqualTo("receipt 1");
  }

  @Test
  void takesAnInputForTheSameHoweverItIsSpelledAndWheneverItWasSent() {
    charge(RUN, "{\"amount\": 40, \"meta\": {\"sent_at\": \"2026-11-15T10:00:00Z\"}}");
    charge(RUN, "{\"meta\":{\"sent_at\":\"2026-11-16T11:30:00Z\"},\"amount\":40.0}");
    charge(RUN, "{\"meta\":{\"sent_at\":1763200000},\"amount\":40.0}");

    assertThat(charges).hasValue(1);
  }

  @ParameterizedTest
  @CsvSource({
    "startedAt, \"2026-11-15T10:00:00Z\", \"2026-11-15T11:00:00Z\"",
    "createdAt, 1763200000, 1763200001",
    "timestamp, \"2026-11-15T10:00:00Z\", \"2026-11-15T11:00:00Z\"",
    "ts, \"hello\", \"goodbye\"",
    "sentAt, \"the airport\", \"the station\"",
    "sentAt, 1, 2",
  })
  void takesInputsThatDifferInAnythingElseForTwo(String member, String one, String other) {
    charge(RUN, "{\"%s\": %s}".formatted(member, one));
    charge(RUN, "{\"%s\": %s}".formatted(member, other));

    assertThat(charges).hasValue(2);
  }

  @Test
  void runsAnotherInputAsAnotherStep() {
    charge(RUN, INPUT);
    Result<@Nullable String> other = charge(RUN, "{\"amount\": 41}");

    assertThat(other).isInstanceOf(Result.Executed.class);
    assertThat(other.orThrow()).isEqualTo("receipt 2");
  }

  @Test
  void distinguishesRunsStepsAndTenants() {
    charge(RUN, INPUT);
    charge(new RunId("acme", "order-43"), INPUT);
    charge(new RunId("globex", "order-42"), INPUT);
    steps.run(RUN, Step.of("refund", Codec.text()), INPUT, it -> "receipt");

    assertThat(charges).hasValue(3);
  }

  @Test
  void saysThatAStepIsHeldWithoutDoingAnything() {
    Result<@Nullable String> outer =
        steps.run(
            RUN,
            CHARGE,
            INPUT,
            it -> {
              assertThat(charge(RUN, INPUT)).isInstanceOf(Result.Held.class);
              return "receipt";
            });

    assertThat(outer.orThrow()).isEqualTo("receipt");
    assertThat(charges).hasValue(0);
  }

  @Test
  void runsAStepAgainThatThrew() {
    assertThatThrownBy(
            () ->
                steps.run(
                    RUN,
                    CHARGE,
                    INPUT,
                    it -> {
                      throw new IOException("no route to host");
                    }))
        .isExactlyInstanceOf(IOException.class);

    assertThat(charge(RUN, INPUT).orThrow()).isEqualTo("receipt 1");
  }

  @Test
  void reconcilesAStepThatMustNotBeRepeated() {
    Step<@Nullable String> asking = CHARGE.asking(it -> EffectState.happened("receipt 7"));
    assertThatThrownBy(
            () ->
                steps.run(
                    RUN,
                    asking,
                    INPUT,
                    it -> {
                      throw new IOException("no answer");
                    }))
        .isExactlyInstanceOf(IOException.class);
    clock.advance(Terms.DEFAULT.lease());

    Result<@Nullable String> retry =
        steps.run(RUN, asking, INPUT, it -> "receipt " + charges.incrementAndGet());

    assertThat(retry.orThrow()).isEqualTo("receipt 7");
    assertThat(charges).hasValue(0);
  }

  @Test
  void forgetsAStepAfterItsRetention() {
    Duration hour = Duration.ofHours(1);
    Step<@Nullable String> brief = CHARGE.withTerms(Terms.DEFAULT.withRetention(hour, hour));
    steps.run(RUN, brief, INPUT, it -> "receipt");
    clock.advance(hour);

    assertThat(charge(RUN, INPUT)).isInstanceOf(Result.Executed.class);
  }

  @Test
  void refusesAnInputThatIsNotJson() {
    assertThatThrownBy(() -> charge(RUN, "amount=40")).isInstanceOf(JsonRefusedException.class);
    assertThat(charges).hasValue(0);
  }

  @Test
  void refusesNamesThatAreTooLong() {
    assertThatThrownBy(() -> Step.of("x".repeat(129), Codec.text()))
        .hasMessage("step must have 1 to 128 characters, got 129");
    assertThatThrownBy(() -> new RunId("acme", "x".repeat(256)))
        .hasMessage("run must have 1 to 255 characters, got 256");
  }

  @Test
  void takesTheLongestNames() {
    RunId longest = new RunId("t".repeat(128), "\u20ac".repeat(255));

    assertThat(steps.run(longest, Step.of("\u20ac".repeat(128), Codec.text()), "{}", it -> "done"))
        .isInstanceOf(Result.Executed.class);
  }

  private Result<@Nullable String> charge(RunId run, String input) {
    return steps.run(run, CHARGE, input, it -> "receipt " + charges.incrementAndGet());
  }
}
