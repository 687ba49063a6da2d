package dev.once.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.embedded.EmbeddedPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs the benchmark of the inbox briefly, so that it does not break unnoticed. */
class InboxBenchmarkTest {
  private static final Settings SHORT =
      Settings.DEFAULT
          .withCallers(List.of(1, 4))
          .withConnections(4)
          .withRound(Duration.ofMillis(40))
          .withRounds(1);

  private final List<String> progress = new ArrayList<>();

  @Test
  void measuresNewAndKnownDeliveriesWithEveryContestant() throws Exception {
    Report report = new InboxBenchmark(EmbeddedPostgres.shared()).run(SHORT, progress::add);

    assertThat(rows(report, 0)).hasSize(2 * 2 * 4).allSatisfy(InboxBenchmarkTest::requireComplete);
    assertThat(rows(report, 1)).hasSize(3 + 2);
    assertThat(progress).contains("inbox, known, 4 callers: round 1 of 1");
  }

  @Test
  void showsThatADuplicateEndsTheTransactionAroundEventuate() throws Exception {
    try (BenchDatabase database =
        new BenchDatabase(EmbeddedPostgres.shared().newDatabase("eventuate"), 2)) {
      Eventuate.createTables(database);
      Eventuate eventuate = new Eventuate(database, true);
      eventuate.accept("known");

      assertThatThrownBy(() -> eventuate.acceptTogether(List.of("new", "known", "newer")))
          .hasMessageContaining("received_messages");

      assertThat(eventuate.accepted()).isEqualTo(1);
    }
  }

  private static List<List<String>> rows(Report report, int table) {
    return report.tables().get(table).rows();
  }

  private static void requireComplete(List<String> row) {
    assertThat(row.subList(0, 4)).doesNotContain("", "0", "0.00", "NaN");
  }
}
