package dev.once.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SeriesTest {
  private final AtomicLong nanos = new AtomicLong(1_000_000);

  @Test
  void takesRateAndPercentilesOverAllCallers() {
    long[] fast = LongStream.rangeClosed(1, 50).map(TimeUnit.MILLISECONDS::toNanos).toArray();
    long[] slow = LongStream.rangeClosed(51, 100).map(TimeUnit.MILLISECONDS::toNanos).toArray();

    Round round = Round.timed(List.of(slow, fast), TimeUnit.SECONDS.toNanos(4));

    assertThat(round.callsPerSecond()).isEqualTo(25);
    assertThat(round.millisWithin(0.5)).isEqualTo(50);
    assertThat(round.millisWithin(0.99)).isEqualTo(99);
  }

  @Test
  void takesTheMedianOfRounds() {
    assertThat(Series.median(List.of(9.0, 1.0, 2.0))).isEqualTo(2);
    assertThat(Series.median(List.of(4.0, 1.0, 2.0, 9.0))).isEqualTo(3);
  }

  @Test
  void failsWhenACallFails() {
    Session.Call failing =
        () -> {
          throw new IllegalStateException("table is gone");
        };

    assertThatThrownBy(() -> new Callers(2).repeat(failing, Duration.ofSeconds(10)))
        .hasMessageContaining("table is gone");
  }

  @Test
  void alternatesTheRoundsOfSeries() throws Exception {
    List<String> order = new ArrayList<>();
    Series a = new Series("A", () -> logged(order, "A"));
    Series b = new Series("B", () -> logged(order, "B"));

    Series.takeTurns(List.of(a, b), "letters", 1, 2, () -> order.add("settle"), it -> {});

    assertThat(order).containsExactly("A", "B", "settle", "A", "B", "B", "A");
    assertThat(a.calls()).isEqualTo(3);
  }

  @Test
  void failsWhenACallWasSkipped() {
    AtomicLong stored = new AtomicLong();
    Series series =
        new Series("skips", () -> Round.untimed(stored.addAndGet(2), 1)).counting(stored::get, 1);

    assertThatThrownBy(() -> Series.takeTurns(List.of(series), "", 0, 2, () -> {}, progress -> {}))
        .hasMessageContaining("skips made 6 calls, which must add 1 each, and added 4");
  }

  @Test
  void dividesTheProcessorTimeOfMeasuredRoundsByTheirCalls() {
    Series series = series(10_000, List.of(nanos::get, () -> Double.NaN));

    series.warmUp();
    series.measure();
    nanos.addAndGet(5_000_000); // Between rounds, which does not count.
    series.measure();

    assertThat(series.cpuMicros()).isEqualTo("5.00 / -");
  }

  @Test
  void readsTheFirstClockNextToTheWork() {
    List<String> order = new ArrayList<>();
    Series series =
        new Series(
            "", () -> logged(order, "work"), List.of(clock(order, "JVM"), clock(order, "server")));

    series.measure();

    assertThat(order).containsExactly("server", "JVM", "work", "JVM", "server");
  }

  /** A series with rounds of two calls. */
  private Series series(long spentPerRound, List<CpuClock> clocks) {
    return new Series(
        "spends",
        () -> {
          nanos.addAndGet(spentPerRound);
          return Round.untimed(2, 1);
        },
        clocks);
  }

  private static Round logged(List<String> order, String name) {
    order.add(name);
    return Round.untimed(1, 1);
  }

  private static CpuClock clock(List<String> order, String name) {
    return () -> {
      order.add(name);
      return 0;
    };
  }
}
