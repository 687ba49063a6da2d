package dev.once.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.embedded.EmbeddedPostgres;
import dev.once.testkit.TestRedis;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs the benchmark of the planning service briefly, so that it does not break unnoticed. It needs
 * the service's jar, so it runs after the package phase.
 */
@Tag("slow")
class HttpBenchmarkTest {
  private static final String SERVICE = Path.of("../examples/planning/target").toString();

  private final List<String> progress = new ArrayList<>();

  @Test
  void measuresNewMissionsAndReplaysInBothModes() throws Exception {
    Settings settings =
        Settings.parse(
            "--callers=1,4",
            "--connections=4",
            "--seconds=0.04",
            "--rounds=2",
            "--service=" + SERVICE);
    Servers servers = new Servers(EmbeddedPostgres::shared, TestRedis::shared);

    Report report = Part.HTTP.run(new Session(settings, servers, progress::add));

    assertThat(report.tables().get(0).rows()).hasSize(2 * 2 * 2);
    assertThat(report.tables().get(1).rows()).hasSize(3 * 2 * 2);
    assertThat(report.setting()).contains("Warm-up: 1.0 s per contestant with 4 callers");
    assertThat(progress).contains("http, replays, 4 callers: round 2 of 2");
  }
}
