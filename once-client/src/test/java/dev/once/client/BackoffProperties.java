package dev.once.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class BackoffProperties {
  @Property
  void pausesStayWithinTheirLimits(
      @ForAll @IntRange(min = 1, max = 1000) int attempt, @ForAll long seed) {
    Duration pause = Backoff.INTERACTIVE.after(attempt, new Random(seed));

    assertThat(pause).isBetween(Duration.ofMillis(200), Duration.ofSeconds(5));
    if (attempt == 1) {
      assertThat(pause).isLessThanOrEqualTo(Duration.ofMillis(500));
    }
  }

  @Property(tries = 20)
  void pausesAreSpread(@ForAll @IntRange(min = 1, max = 10) int attempt, @ForAll long seed) {
    Random random = new Random(seed);
    long distinct =
        Stream.generate(() -> Backoff.INTERACTIVE.after(attempt, random))
            .limit(100)
            .distinct()
            .count();

    assertThat(distinct).isGreaterThan(90);
  }
}
