package dev.once.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.jobs.RetryPolicy;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When a message is sent again. */
class BackoffTest {
  private static final Backoff BACKOFF = new Backoff(RetryPolicy.DEFAULT);
  private static final Duration WEEKEND = Duration.ofDays(3);

  /** An endpoint that is down from Friday to Monday loses nothing. */
  @Test
  void aMessageOutlastsAWeekendWithHalfOfItsAttemptsLeft() {
    Duration age = Duration.ZERO;
    int attempt = 0;
    while (age.compareTo(WEEKEND) < 0) {
      age = age.plus(delayAfter(++attempt));
    }

    assertThat(attempt).isLessThan(RetryPolicy.DEFAULT.attempts() * 3 / 5);
    assertThat(age).isLessThan(WEEKEND.plusHours(18));
  }

  @Test
  void aMessageIsSentForTenDaysAtLeast() {
    Duration age = Duration.ZERO;
    for (int attempt = 1; attempt < RetryPolicy.DEFAULT.attempts(); attempt++) {
      age = age.plus(delayAfter(attempt));
    }

    assertThat(age).isBetween(Duration.ofDays(10), Duration.ofDays(20));
  }

  @Test
  void aLaterTimeOfTheReceiverCountsAndAnEarlierOneDoesNot() {
    Duration hour = Duration.ofHours(1);

    assertThat(BACKOFF.delayAfter(1, Optional.of(hour))).isBetween(hour, hour.plusMinutes(1));
    assertThat(BACKOFF.delayAfter(30, Optional.of(hour)))
        .isBetween(Duration.ofHours(12), Duration.ofHours(18));
    assertThat(BACKOFF.delayAfter(1, Optional.of(Duration.ZERO)))
        .isBetween(Duration.ofSeconds(1), Duration.ofMillis(1500));
  }

  private static Duration delayAfter(int attempt) {
    return BACKOFF.delayAfter(attempt, Optional.empty());
  }
}
