package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {
  @Test
  void triesFiveTimesFromOneSecondOn() {
    assertThat(RetryPolicy.DEFAULT.tries()).isEqualTo(5);
    assertThat(RetryPolicy.DEFAULT.firstDelay()).isEqualTo(Duration.ofSeconds(1));
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
        .isBetween(Duration.ofHours(1), Duration.ofMinutes(90));
  }

  @Test
  void jobsThatFailTogetherDoNotComeBackTogether() {
    assertThat(RetryPolicy.DEFAULT.delayAfter(3)).isNotEqualTo(RetryPolicy.DEFAULT.delayAfter(3));
  }

  @Test
  void refusesWhatMakesNoSense() {
    assertThatThrownBy(() -> RetryPolicy.DEFAULT.withTries(0))
        .hasMessage("tries must be 1 to 10000, got 0");
    assertThatThrownBy(
            () -> RetryPolicy.DEFAULT.withDelays(Duration.ofMinutes(2), Duration.ofMinutes(1)))
        .hasMessageContaining("the first at most the longest");
  }

  private static Duration seconds(double seconds) {
    return Duration.ofMillis((long) (seconds * 1000));
  }
}
