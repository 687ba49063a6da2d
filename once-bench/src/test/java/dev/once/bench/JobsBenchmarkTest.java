package dev.once.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.embedded.EmbeddedPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs the benchmark of job queues briefly, so that it does not break unnoticed. */
class JobsBenchmarkTest {
  private static final Settings SHORT =
      Settings.DEFAULT
          .withCallers(List.of(1, 4))
          .withConnections(8)
          .withRound(Duration.ofMillis(40))
          .withRounds(1)
          .withJobs(400)
          .withKills(1);

  /** The other contestants take half a minute to detect a dead worker. */
  private static final List<JobContestant> KILLED = List.of(JobContestant.ONCE_TRANSACTIONAL);

  private final List<String> progress = new ArrayList<>();

  @Test
  void measuresEveryQueue() throws Exception {
    Report report = new JobsBenchmark(EmbeddedPostgres.shared(), KILLED).run(SHORT, progress::add);

    assertThat(rows(report, 0)).hasSize(2 * 6).allSatisfy(JobsBenchmarkTest::requireComplete);
    assertThat(rows(report, 1)).hasSize(2 * 4).allSatisfy(JobsBenchmarkTest::requireComplete);
    assertThat(rows(report, 2)).hasSize(1);
    assertThat(rows(report, 2).get(0)).containsSequence("400", "1", "0");
    assertThat(rows(report, 3)).hasSize(2 * 3).allSatisfy(JobsBenchmarkTest::requireComplete);
    assertThat(progress).contains("jobs, each writes one row: round 1 of 1");
  }

  private static List<List<String>> rows(Report report, int table) {
    return report.tables().get(table).rows();
  }

  private static void requireComplete(List<String> row) {
    assertThat(row.subList(0, 3)).doesNotContain("", "0", "0.00", "NaN");
  }
}
