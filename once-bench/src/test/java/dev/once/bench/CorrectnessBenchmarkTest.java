package dev.once.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.embedded.EmbeddedPostgres;
import dev.once.testkit.TestRedis;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests all contestants in races, with a pause and with a kill, with few keys. */
class CorrectnessBenchmarkTest {
  private static final String PAUSED = "owner paused beyond its lease";
  private static final String KILLED = "owner killed";
  private static final int RACED_KEYS = 10;

  private final List<String> progress = new ArrayList<>();

  @Test
  void findsNothingWrongWithOnceAndWhatIsKnownToBeWrongElsewhere() throws Exception {
    Report report =
        new CorrectnessBenchmark(EmbeddedPostgres.shared(), TestRedis::start, RACED_KEYS)
            .run(Settings.DEFAULT, progress::add);

    assertThat(report.findings()).hasSize(3 * 4).allMatch(Finding::met);
    assertThat(counts(report, KILLED, "Once.run")).containsExactly("1", "0", "0", "0");
    assertThat(counts(report, KILLED, "Camel JdbcMessageIdRepository"))
        .containsExactly("0", "3", "0", "0");
    assertThat(counts(report, PAUSED, "by hand: SET NX + SET")).containsExactly("2", "0", "3", "3");
    assertThat(counts(report, PAUSED, "Once, claim + complete, effect without the fence"))
        .containsExactly("2", "0", "3", "0");
  }

  /** The most executions of a key, and how many were lost, doubled and answered wrongly. */
  private static List<String> counts(Report report, String situation, String contestant) {
    return report.tables().get(0).rows().stream()
        .filter(row -> row.get(0).equals(situation) && row.get(1).equals(contestant))
        .findFirst()
        .orElseThrow()
        .subList(3, 7);
  }
}
