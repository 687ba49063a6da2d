package dev.once.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.embedded.EmbeddedPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs the benchmark of workflow steps briefly, so that it does not break unnoticed. */
class StepsBenchmarkTest {
  private static final Settings SHORT =
      Settings.DEFAULT
          .withCallers(List.of(1, 4))
          .withConnections(8)
          .withRound(Duration.ofMillis(40))
          .withRounds(1);

  private final List<String> progress = new ArrayList<>();

  @Test
  void measuresStepsAndShowsWhatAnotherInputDoes() throws Exception {
    Report report = new StepsBenchmark(EmbeddedPostgres.shared()).run(SHORT, progress::add);

    assertThat(rows(report, 0)).hasSize(2 * 4).allSatisfy(StepsBenchmarkTest::requireComplete);
    assertThat(rows(report, 1)).hasSize(2 * 2).allSatisfy(StepsBenchmarkTest::requireComplete);
    assertThat(rows(report, 2))
        .containsExactly(
            List.of("Once, leased steps", "A", "B", "made of B", "92"),
            List.of("DBOS, runStep", "A", "B", "made of A", "91"));
  }

  private static List<List<String>> rows(Report report, int table) {
    return report.tables().get(table).rows();
  }

  private static void requireComplete(List<String> row) {
    assertThat(row.subList(0, 5)).doesNotContain("", "0", "0.00", "NaN");
  }
}
