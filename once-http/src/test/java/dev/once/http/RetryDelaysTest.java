package dev.once.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Key;
import java.time.Duration;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RetryDelaysTest {
  private static final Key KEY = new Key("acme", "api", "order-1");

  private final RetryDelays delays = new RetryDelays();

  @Test
  void growFromTwoSecondsToHalfAMinute() {
    assertThat(Stream.generate(() -> delays.next(KEY).toSeconds()).limit(6))
        .containsExactly(2L, 4L, 8L, 16L, 30L, 30L);
  }

  @Test
  void startAgainForAKeyThatManyOthersHaveDisplaced() {
    delays.next(KEY);
    IntStream.range(0, 1_000).forEach(i -> delays.next(new Key("acme", "api", "other-" + i)));

    assertThat(delays.next(KEY)).isEqualTo(Duration.ofSeconds(2));
  }
}
