package dev.once.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.embedded.EmbeddedPostgres;
import dev.once.testkit.TestRedis;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class CpuClockTest {
  private static final double TICK = CpuClock.NANOS_PER_TICK;

  /** Takes a shell some 100 ms. */
  private static final String SPIN = "i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done";

  @Test
  void readsTicksBehindANameWithBlanksAndBrackets() {
    String stat = "42 (a b) c) S 1 42 42 0 -1 4194560 900 800 0 0 11 22 300 400 20 0 16 0 5 6 7";

    assertThat(CpuClock.Ticks.parse(stat)).isEqualTo(new CpuClock.Ticks(33, 700));
  }

  @Test
  void hasNoTimeOfAProcessThatDoesNotExist() {
    assertThat(CpuClock.processTree(Long.MAX_VALUE).nanos()).isNaN();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void countsAChildThatRuns() throws Exception {
    assertThat(nanosOf("(%s; echo done; read -r end); :")).isGreaterThan(TICK);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void countsAChildThatHasEnded() throws Exception {
    assertThat(nanosOf("(%s); echo done; read -r end")).isGreaterThan(TICK);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void countsTheBackendsOfPostgres() {
    try (BenchDatabase database =
        new BenchDatabase(EmbeddedPostgres.shared().newDatabase("cpu"), 1)) {
      CpuClock clock = database.serverClock();
      double before = clock.nanos();

      database.execute("SELECT count(*) FROM generate_series(1, 1000000)");

      assertThat(clock.nanos() - before).isGreaterThan(TICK);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void findsTheProcessOfRedis() {
    try (BenchRedis redis = new BenchRedis(TestRedis.shared().uri())) {
      assertThat(redis.clocks()).hasSize(2).allSatisfy(it -> assertThat(it.nanos()).isNotNaN());
    }
  }

  /**
   * Returns the time of a shell that runs {@code script}, read when it reports that it has spun.
   */
  private static double nanosOf(String script) throws IOException {
    Process shell = new ProcessBuilder("sh", "-c", script.formatted(SPIN)).start();
    try (BufferedReader output = shell.inputReader(StandardCharsets.US_ASCII)) {
      assertThat(output.readLine()).isEqualTo("done");
      return CpuClock.processTree(shell.pid()).nanos();
    } finally {
      shell.getOutputStream().close(); // Ends what reads from it.
      shell.onExit().join();
    }
  }
}
