package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {
  @Test
  void hasFiveAttemptsFromOneSecondOnIfTheyAreToBeOverSoon() {
    assertThat(RetryPolicy.SHORT.attempts()).isEqualTo(5);
    assertThat(RetryPolicy.SHORT.firstDelay()).isEqualTo(Duration.ofSeconds(1));
    assertThat(sumOfDelays(RetryPolicy.SHORT)).isBetween(seconds(15), seconds(22.5));
  }

  @Test
  void retriesForTwoWeeksByDefault() {
    assertThat(RetryPolicy.DEFAULT.firstDelay()).isEqualTo(Duration.ofSeconds(1));
    assertThat(sumOfDelays(RetryPolicy.DEFAULT))
        .isBetween(Duration.ofDays(12), Duration.ofDays(19));
  }

  private static Duration sumOfDelays(RetryPolicy policy) {
    return IntStream.range(1, policy.attempts())
        .mapToObj(policy::delayAfter)
        .reduce(Duration.ZERO, Duration::plus);
  }

  @RepeatedTest(20)
  void doublesEveryTimeAndAddsUpToAHalf() {
    assertThat(RetryPolicy.DEFAULT.delayAfter(1)).isBetween(seconds(1), seconds(1.5));
    assertThat(RetryPolicy.DEFAULT.delayAfter(2)).isBetween(seconds(2), seconds(3));
    assertThat(RetryPolicy.DEFAULT.delayAfter(4)).isBetween(seconds(8), seconds(12));
  }

  @Test
  void staysBelowTheLongestDelayHoweverManyTriesThereWere() {
    assertThat(RetryPolicy.DEFAULT.delayAfter(10_000))
        .isBetween(Duration.ofHours(12), Duration.ofHours(18));
  }

  @Test
  void jobsThatFailTogetherDoNotComeBackTogether() {
    assertThat(RetryPolicy.DEFAULT.delayAfter(3)).isNotEqualTo(RetryPolicy.DEFAULT.delayAfter(3));
  }

  @Test
  void refusesWhatMakesNoSense() {
    assertThatThrownBy(() -> RetryPolicy.DEFAULT.withAttempts(0))
        .hasMessage("attempts must be 1 to 10000, got 0");
    assertThatThrownBy(
            () -> RetryPolicy.DEFAULT.withDelays(Duration.ofMinutes(2), Duration.ofMinutes(1)))
        .hasMessageContaining("the first at most the longest");
  }

  private static Duration seconds(double seconds) {
    return Duration.ofMillis((long) (seconds * 1000));
  }
}
