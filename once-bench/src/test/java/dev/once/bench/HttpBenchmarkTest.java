package dev.once.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Runs the benchmark of the planning service briefly, so that it does not break unnoticed. It needs
 * the service's jar, so it runs after the package phase.
 */
class HttpBenchmarkTest {
  private static final Settings SHORT =
      Settings.DEFAULT
          .withCallers(List.of(1, 4))
          .withConnections(4)
          .withRound(Duration.ofMillis(40))
          .withRounds(2)
          .withHttpWarmUp(Duration.ofMillis(400))
          .withService(Path.of("..").resolve(PlanningJar.FOLDER));

  private final List<String> progress = new ArrayList<>();

  @Test
  void measuresNewMissionsAndReplaysInBothModes() throws Exception {
    Report report = new HttpBenchmark(EmbeddedPostgres.shared()).run(SHORT, progress::add);

    assertThat(rows(report, 0)).hasSize(2 * 2).allSatisfy(HttpBenchmarkTest::requireComplete);
    assertThat(rows(report, 1)).hasSize(2 * 4).allSatisfy(HttpBenchmarkTest::requireComplete);
    assertThat(report.setting()).contains("Warm-up: 0.4 s per contestant with 4 callers");
    assertThat(progress).contains("http, replays, 4 callers: round 2 of 2");
  }

  private static List<List<String>> rows(Report report, int table) {
    return report.tables().get(table).rows();
  }

  private static void requireComplete(List<String> row) {
    assertThat(row).doesNotContain("", "0", "0.00", "NaN");
  }
}
