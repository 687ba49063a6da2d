package dev.once.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Key;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RetryDelaysTest {
  private static final Key KEY = new Key("acme", "api", "order-1");

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1); // It may overflow.
  private final RetryDelays delays = new RetryDelays(nanos::get);

  @Test
  void growFromTwoSecondsToHalfAMinuteForAClientThatObeys() {
    List<Long> seconds = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Duration delay = delays.next(KEY);
      seconds.add(delay.toSeconds());
      elapse(delay);
    }

    assertThat(seconds).containsExactly(2L, 4L, 8L, 16L, 30L, 30L);
  }

  @Test
  void areTwoSecondsForAllCopiesThatArriveTogether() {
    assertThat(Stream.generate(() -> delays.next(KEY)).limit(20))
        .containsOnly(Duration.ofSeconds(2));
  }

  @Test
  void startAgainForAKeyOfWhichNoDuplicateCameForAMinute() {
    delays.next(KEY);
    elapse(Duration.ofSeconds(61));

    assertThat(delays.next(KEY)).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void startAgainForAKeyThatManyOthersHaveDisplaced() {
    delays.next(KEY);
    IntStream.range(0, 1_000).forEach(i -> delays.next(new Key("acme", "api", "other-" + i)));
    elapse(Duration.ofSeconds(10));

    assertThat(delays.next(KEY)).isEqualTo(Duration.ofSeconds(2));
  }

  private void elapse(Duration time) {
    nanos.addAndGet(time.toNanos());
  }
}
