package dev.once.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RoundTest {
  @Test
  void takesRateAndPercentilesOverAllCallers() {
    long[] fast = LongStream.rangeClosed(1, 50).map(TimeUnit.MILLISECONDS::toNanos).toArray();
    long[] slow = LongStream.rangeClosed(51, 100).map(TimeUnit.MILLISECONDS::toNanos).toArray();

    Round round = new Round(List.of(slow, fast), TimeUnit.SECONDS.toNanos(4));

    assertThat(round.callsPerSecond()).isEqualTo(25);
    assertThat(round.millisWithin(0.5)).isEqualTo(50);
    assertThat(round.millisWithin(0.99)).isEqualTo(99);
  }

  @Test
  void takesTheMiddleOfRounds() {
    assertThat(Median.of(List.of(9.0, 1.0, 2.0))).isEqualTo(2);
    assertThat(Median.of(List.of(4.0, 1.0, 2.0, 9.0))).isEqualTo(3);
  }

  @Test
  void failsWhenACallFails() {
    Work failing =
        () -> {
          throw new IllegalStateException("table is gone");
        };

    assertThatThrownBy(() -> new Callers(2).work(failing, Duration.ofSeconds(10)))
        .hasMessageContaining("table is gone");
  }
}
