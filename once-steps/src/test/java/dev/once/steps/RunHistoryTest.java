package dev.once.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Codec;
import dev.once.EffectState;
import dev.once.InMemoryRecordStore;
import dev.once.Once;
import dev.once.Terms;
import dev.once.json.Fingerprinter;
import dev.once.spi.State;
import dev.once.testkit.TestClock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RunHistoryTest {
  private static final RunId RUN = new RunId("acme", "order-42");

  private final TestClock clock = new TestClock();
  private final InMemoryRecordStore store = new InMemoryRecordStore(clock);
  private final Once once = Once.over(store);
  private final Steps steps = Steps.over(once);
  private final RunHistory history = RunHistory.over(store);

  @AfterEach
  void close() {
    once.close();
  }

  @Test
  void showsTheStepsOfARunInTheOrderTheyWereBegun() {
    done("reserve", "{}");
    done("charge", "{}");
    done("notify", "{}");

    List<StepView> seen = history.steps(RUN);

    assertThat(seen).extracting(StepView::name).containsExactly("reserve", "charge", "notify");
    assertThat(seen).allMatch(it -> it.state() == State.COMPLETED && it.attempts() == 1);
  }

  @Test
  void showsWhatTheHashOfAnInputLeavesOut() {
    done("reserve", "{}");
    Steps exact = Steps.over(once, Fingerprinter.sha256());
    exact.run(RUN, step("charge"), "{}", it -> "done");

    assertThat(history.steps(RUN))
        .extracting(StepView::omitted)
        .containsExactlyInAnyOrder(Inputs.VOLATILE, List.of());
  }

  @Test
  void showsThatAStepCameBackWithAnotherInput() {
    done("charge", "{\"amount\": 40}");
    done("charge", "{\"amount\": 41}");

    List<StepView> seen = history.steps(RUN);

    assertThat(seen).extracting(StepView::name).containsExactly("charge", "charge");
    assertThat(seen).extracting(StepView::inputChanged).containsExactly(false, true);
    assertThat(seen).extracting(StepView::inputHash).doesNotHaveDuplicates();
  }

  @Test
  void showsWhereACrashedRunStopped() {
    done("reserve", "{}");
    clock.advance(Duration.ofMillis(1));
    Step<@Nullable String> charge = step("charge").asking(it -> EffectState.unknown());
    assertThatThrownBy(
            () ->
                steps.run(
                    RUN,
                    charge,
                    "{}",
                    it -> {
                      throw new IllegalStateException("no answer");
                    }))
        .hasMessage("no answer");
    clock.advance(Terms.DEFAULT.lease());

    assertThat(history.steps(RUN))
        .extracting(StepView::state)
        .containsExactly(State.COMPLETED, State.UNCERTAIN);
  }

  @Test
  void showsNothingOfOtherRunsAndTenants() {
    done("reserve", "{}");

    assertThat(history.steps(new RunId("acme", "order-4"))).isEmpty();
    assertThat(history.steps(new RunId("globex", "order-42"))).isEmpty();
  }

  @Test
  void showsRunsOfMoreThanAPage() {
    for (int i = 0; i < 2500; i++) {
      done("step@" + i, "{}");
    }

    assertThat(history.steps(RUN))
        .hasSize(2500)
        .last()
        .extracting(StepView::name)
        .isEqualTo("step@2499");
  }

  private void done(String name, String input) {
    clock.advance(Duration.ofMillis(1));
    steps.run(RUN, step(name), input, it -> "done");
  }

  private static Step<@Nullable String> step(String name) {
    return Step.of(name, Codec.text());
  }
}
