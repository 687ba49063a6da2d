package dev.once.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.testkit.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs the benchmark on Redis briefly, so that it does not break unnoticed. */
class RedisBenchmarkTest {
  private static final Settings SHORT =
      Settings.DEFAULT.withCallers(List.of(1, 80)).withRound(Duration.ofMillis(40)).withRounds(1);

  private final List<String> progress = new ArrayList<>();

  @Test
  void measuresNewKeysWithEveryContestant() throws Exception {
    try (TestRedis redis = TestRedis.start()) {
      Report report = new RedisBenchmark(redis.uri(), "nothing kept").run(SHORT, progress::add);

      assertThat(report.tables().get(0).rows())
          .hasSize(2 * 5)
          .allSatisfy(row -> assertThat(row.subList(0, 7)).doesNotContain("", "0", "0.00", "NaN"));
      assertThat(report.findings()).hasSize(1);
      assertThat(report.setting()).contains("nothing kept");
    }
  }
}
