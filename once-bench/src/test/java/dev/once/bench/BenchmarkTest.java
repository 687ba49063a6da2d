package dev.once.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.embedded.EmbeddedPostgres;
import dev.once.testkit.TestRedis;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs every benchmark briefly, those that take long by {@code -Pbench-tests} alone. The benchmarks
 * themselves check that each call had the intended effect; speed does not matter here.
 */
class BenchmarkTest {
  private static final String[] TINY = {
    "--callers=2", "--connections=8", "--seconds=0.02", "--rounds=1", "--rows=2000", "--jobs=100"
  };

  private final List<String> progress = new ArrayList<>();

  @ParameterizedTest
  @CsvSource({
    "LOAD, 10",
    "REDIS, 5",
    "REPLAY, 10",
    "NEAR_CACHE, 3",
    "SCALE, 6",
    "FINGERPRINT, 4",
    "GATEWAY, 10",
    "STEPS, 12",
    "INBOX, 11",
    "CLIENT, 4",
  })
  void measures(Part part, int rows) throws Exception {
    Report report = run(part);

    assertThat(rows(report)).hasSize(rows).noneMatch(it -> it.contains("NaN"));
    assertThat(report.findings()).allMatch(it -> it.bound() > 0 ? it.ratio() > 0 : it.met());
    assertThat(progress).anyMatch(it -> it.startsWith(part.toString()));
  }

  /** JobRunr polls every five seconds, and takes 20 to detect a dead worker. */
  @Test
  @Tag("slow")
  void measuresJobsAndLosesNoneWhenWorkersAreKilled() throws Exception {
    Report report = run(Part.JOBS, "--kills=1");

    assertThat(rows(report)).hasSize(2 * 6 + 2 * 4 + 5);
    assertThat(report.findings())
        .filteredOn(it -> it.work().contains("by kills"))
        .hasSize(5)
        .allMatch(Finding::met);
  }

  /** It starts Kafka, Debezium, and an application of Spring Boot for each round of a relay. */
  @Test
  @Tag("slow")
  void measuresEvents() throws Exception {
    Report report = run(Part.EVENTS);

    assertThat(rows(report)).hasSize(28).noneMatch(it -> it.contains("NaN"));
    assertThat(report.findings()).allMatch(it -> it.bound() > 0 ? it.ratio() > 0 : it.met());
  }

  /** JobRunr may need five seconds to find the last job. */
  @Test
  @Tag("slow")
  void measuresAFlowOfTransactionsThatEnqueueJobs() throws Exception {
    Report report = run(Part.FLOW);

    assertThat(rows(report)).hasSize(2 * 6).noneMatch(it -> it.contains("NaN"));
    assertThat(report.findings()).hasSize(2 * 3).allMatch(it -> it.ratio() > 0);
  }

  /** Owners are paused beyond their leases. */
  @Test
  @Tag("slow")
  void findsNothingWrongWithOnceAndWhatIsKnownToBeWrongElsewhere() throws Exception {
    Report report = run(Part.CORRECTNESS);

    assertThat(report.findings()).hasSize(3 * 4).allMatch(Finding::met);
    assertThat(counts(report, "owner killed", "Once.run")).containsExactly("1", "0", "0", "0");
    assertThat(counts(report, "owner killed", "Camel JdbcMessageIdRepository"))
        .containsExactly("0", "3", "0", "0");
    assertThat(counts(report, "owner paused beyond its lease", "by hand: SET NX + SET"))
        .containsExactly("2", "0", "3", "3");
    String unfenced = "Once, claim + complete, effect without the fence";
    assertThat(counts(report, "owner paused beyond its lease", unfenced))
        .containsExactly("2", "0", "3", "0");
  }

  @Test
  void showsThatADuplicateEndsTheTransactionAroundEventuate() throws Exception {
    try (BenchDatabase database =
        new BenchDatabase(EmbeddedPostgres.shared().newDatabase("eventuate"), 2)) {
      Eventuate eventuate = new Eventuate(database);
      eventuate.createTables();
      InboxBenchmark.WebhookReceiver together = eventuate.together().work();
      together.accept(List.of("known"));

      assertThatThrownBy(() -> together.accept(List.of("new", "known", "newer")))
          .hasMessageContaining("received_messages");
      assertThat(together.accepted().call()).isEqualTo(1);
    }
  }

  private Report run(Part part, String... more) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(TINY));
    arguments.addAll(List.of(more));
    Settings settings = Settings.parse(arguments.toArray(String[]::new));
    if (part == Part.EVENTS || part == Part.FLOW) {
      try (Servers own = new Servers(() -> start(part), TestRedis::shared)) {
        return part.run(new Session(settings, own, progress::add));
      }
    }
    Servers servers = new Servers(EmbeddedPostgres::shared, TestRedis::shared);
    return part.run(new Session(settings, servers, progress::add));
  }

  private static EmbeddedPostgres start(Part part) {
    return EmbeddedPostgres.builder()
        .setting("wal_level", part.walLevel())
        .setting("shared_preload_libraries", part.libraries())
        .start();
  }

  private static List<List<String>> rows(Report report) {
    return report.tables().stream().flatMap(it -> it.rows().stream()).toList();
  }

  /** The most executions of a key, and how many were lost, doubled and answered wrongly. */
  private static List<String> counts(Report report, String situation, String contestant) {
    return rows(report).stream()
        .filter(row -> row.get(0).equals(situation) && row.get(1).equals(contestant))
        .findFirst()
        .orElseThrow()
        .subList(3, 7);
  }
}
