package dev.once.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.embedded.EmbeddedPostgres;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs the benchmark of jobs beside many others briefly, so that it does not break unnoticed. */
class JobScaleBenchmarkTest {
  private static final Settings SHORT =
      Settings.DEFAULT.withConnections(8).withRounds(1).withRows(2_000).withJobs(300);

  private final List<String> progress = new ArrayList<>();

  @Test
  void losesAndDoublesNothing() throws Exception {
    Report report = new JobScaleBenchmark(EmbeddedPostgres.shared()).run(SHORT, progress::add);

    List<List<String>> finished = report.tables().get(0).rows();
    assertThat(finished).hasSize(3);
    assertThat(finished.get(2).get(3)).isEqualTo("1,000");
    List<List<String>> held = report.tables().get(1).rows();
    assertThat(held).hasSize(7).allSatisfy(row -> assertThat(row).endsWith("0", "0"));
  }
}
