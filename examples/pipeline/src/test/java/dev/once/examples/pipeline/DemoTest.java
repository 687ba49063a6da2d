package dev.once.examples.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(600)
class DemoTest {
  @TempDir Path folder;

  @Test
  void endsWithOneEffectPerEvent() throws Exception {
    Process demo = launch("--events", "150", "--kills", "3", "--seed", "7");
    String said = said(demo);

    assertThat(demo.exitValue()).as(said).isZero();
    assertThat(said)
        .containsPattern("events in the log +150\\n")
        .containsPattern("wrong answers +0\\n")
        .containsPattern("parts killed +3\\n")
        .containsPattern("instance_worker, graph store +\\d+ +0 +0 +yes")
        .containsPattern("ontology_worker, PostgreSQL +150 +0 +0 +yes")
        .containsPattern("projection_worker, OpenSearch +\\d+ +0 +0 +yes")
        .endsWith("every event took effect once\n");
  }

  @Test
  void leavesNothingRunningWhenItIsKilled() throws Exception {
    Process demo = launch("--events", "1000", "--seed", "7");
    Polling.until(() -> demo.descendants().count() > 8);
    List<ProcessHandle> parts = demo.descendants().toList();

    demo.destroyForcibly(); // SIGKILL

    assertThat(demo.waitFor(60, TimeUnit.SECONDS)).isTrue();
    Polling.until(() -> parts.stream().noneMatch(ProcessHandle::isAlive));
  }

  @Test
  void refusesWhatItCannotDo() throws Exception {
    assertThat(said(launch("--events", "0"))).contains("once: --events must be 1 to 100000");
    Process misused = launch("--sed", "7");
    assertThat(said(misused)).contains("--sed");
    assertThat(misused.exitValue()).isEqualTo(2);
  }

  @Test
  void explainsItselfWithoutBuilding() throws Exception {
    Process script = new ProcessBuilder("bash", "../../once", "demo", "pipeline", "--help").start();
    String help = said(script);

    assertThat(new CommandLine(new Demo()).getCommandSpec().options())
        .hasSize(6)
        .allSatisfy(option -> assertThat(help).contains("  " + option.longestName() + " "));
  }

  private Process launch(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("demo", "--folder", folder.toString(), "--port", "0"));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static String said(Process process) throws Exception {
    String said = String.join("\n", process.inputReader().lines().toList()) + "\n";
    process.waitFor();
    return said;
  }
}
