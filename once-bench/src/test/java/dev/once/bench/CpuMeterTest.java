package dev.once.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CpuMeterTest {
  private final AtomicLong nanos = new AtomicLong(1_000_000);

  @Test
  void dividesTheTimeOfAllRoundsByTheirCalls() {
    CpuMeter meter = new CpuMeter(List.of(nanos::get));

    meter.measure(() -> round(1, 10_000));
    nanos.addAndGet(5_000_000); // Between rounds, which does not count.
    meter.measure(() -> round(3, 50_000));

    assertThat(meter.microsPerCall()).containsExactly(15.0);
  }

  @Test
  void showsADashWhereNoTimeIsReported() {
    CpuMeter meter = new CpuMeter(List.of(nanos::get, () -> Double.NaN));

    meter.measure(() -> round(1, 2_000));

    assertThat(meter.microsPerCall()).containsExactly(2.0, "-");
  }

  @Test
  void readsTheFirstClockNextToTheWork() {
    List<String> order = new ArrayList<>();
    CpuMeter meter = new CpuMeter(List.of(logged(order, "JVM"), logged(order, "server")));

    meter.measure(
        () -> {
          order.add("work");
          return round(1, 0);
        });

    assertThat(order).containsExactly("server", "JVM", "work", "JVM", "server");
  }

  @Test
  void metersTheRoundsOfALaneAndNotItsWarmUp() {
    Series series = new Series("spends 7 µs", () -> nanos.addAndGet(7_000));
    Series metered = series.metered(List.of(nanos::get));

    metered.warmUp(new Callers(1), Duration.ofMillis(1));
    metered.measure(new Callers(2), Duration.ofMillis(1));

    assertThat(metered.cpuMicros()).containsExactly(7.0);
    assertThat(series.cpuMicros()).isEmpty();
  }

  private Round round(int calls, long spent) {
    nanos.addAndGet(spent);
    return new Round(List.of(new long[calls]), 1);
  }

  private static CpuClock logged(List<String> order, String name) {
    return () -> {
      order.add(name);
      return 0;
    };
  }
}
