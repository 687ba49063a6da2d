package dev.once.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.embedded.EmbeddedPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Runs every benchmark briefly, so that none of them breaks unnoticed. The benchmarks themselves
 * check that each call had the intended effect; speed does not matter here.
 */
class BenchmarkTest {
  private static final Settings SHORT =
      Settings.DEFAULT
          .withCallers(List.of(1, 4))
          .withConnections(4)
          .withRound(Duration.ofMillis(40))
          .withRounds(2)
          .withRows(20_000)
          .unforked();

  private static final String BY_HAND = "by hand: the same statements";

  private static final EmbeddedPostgres SERVER = EmbeddedPostgres.shared();

  private final List<String> progress = new ArrayList<>();

  @Test
  void measuresNewKeysWithEveryContestant() throws Exception {
    Report report = new LoadBenchmark(SERVER).run(SHORT, progress::add);

    assertThat(rows(report, 0)).hasSize(2 * 10).allSatisfy(BenchmarkTest::requireComplete);
    assertThat(report.findings()).extracting(Finding::against).containsExactly(BY_HAND);
    assertThat(report.findings()).extracting(Finding::aim).containsExactly(Aim.atLeast(1));
    assertThat(progress).contains("load, 4 callers: round 2 of 2");
  }

  @Test
  void measuresDoneKeysWithEveryContestant() throws Exception {
    Report report = new ReplayBenchmark(SERVER).run(SHORT, progress::add);

    assertThat(rows(report, 0)).hasSize(2 * 10).allSatisfy(BenchmarkTest::requireComplete);
  }

  @Test
  void measuresReplaysOutOfMemory() throws Exception {
    Report report = new NearCacheBenchmark(SERVER).run(SHORT, progress::add);

    assertThat(rows(report, 0)).hasSize(2 * 3).allSatisfy(BenchmarkTest::requireComplete);
    assertThat(report.findings()).hasSize(2);
  }

  @Test
  void measuresASmallAndALargeTable() throws Exception {
    Report report = new ScaleBenchmark(SERVER).run(SHORT, progress::add);

    assertThat(rows(report, 0)).hasSize(2 * 2).allSatisfy(BenchmarkTest::requireComplete);
    assertThat(rows(report, 1)).hasSize(2 * 2).allSatisfy(BenchmarkTest::requireComplete);
    assertThat(report.findings()).hasSize(2 * 2 + 2 * 2);
    assertThat(report.findings())
        .extracting(Finding::aim)
        .containsOnly(Aim.atLeast(0.77), Aim.atMost(2), Aim.atLeast(0.9));
    assertThat(progress).anyMatch(it -> it.startsWith("scale: filling"));
  }

  @Test
  void measuresFingerprintsAndTheEngine() throws Exception {
    Report report = new FingerprintBenchmark().run(SHORT, progress::add);

    assertThat(rows(report, 0)).hasSize(2 * 2).allSatisfy(BenchmarkTest::requireComplete);
    assertThat(rows(report, 1)).hasSize(2).allSatisfy(BenchmarkTest::requireComplete);
    assertThat(report.findings())
        .extracting(Finding::aim)
        .containsExactly(Aim.atLeast(5.5), Aim.atLeast(5));
  }

  private static List<List<String>> rows(Report report, int table) {
    return report.tables().get(table).rows();
  }

  /** Ratios and aims are empty for Once itself, measurements never are. */
  private static void requireComplete(List<String> row) {
    assertThat(row.subList(0, 3)).doesNotContain("", "0", "0.00", "NaN");
  }
}
