package dev.once.examples.offline;

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

@Timeout(300)
class DemoTest {
  @TempDir Path folder;

  @Test
  void theScriptEndsWithEachOperationAppliedOnce() throws Exception {
    Process demo = launch("--script", "--rounds", "6", "--seed", "7");
    String said = said(demo);

    assertThat(demo.exitValue()).as(said).isZero();
    assertThat(said)
        .contains(
            "the answer to phone 1 is lost",
            "had sent it before the edit: ",
            ", under a new key",
            "the app of phone 1 is killed",
            "the app of phone 2 is killed while the server answers",
            "both phones send ",
            " again: a replay")
        .containsPattern("operations +\\d+ +\\d+ +\\d+\\n")
        .containsPattern("requests +\\d+ +\\d+ +\\d+\\n")
        .containsPattern("retries +[1-9]\\d* +[1-9]\\d* +\\d+\\n")
        .containsPattern("replays +\\d+ +\\d+ +[1-9]\\d*\\n")
        .containsPattern("rooms in the database: (\\d+) for \\1 operations\\n")
        .containsPattern("right: (\\d+) of \\1 operations applied once, in \\d+ s\\n");
    assertThat(folder.resolve("offline-data")).doesNotExist();
  }

  @Test
  void leavesNothingRunningWhenItIsKilled() throws Exception {
    Process demo = launch("--script", "--rounds", "1000");
    Polling.until(() -> demo.descendants().filter(DemoTest::isPhone).count() == 2);
    List<ProcessHandle> phones = demo.descendants().filter(DemoTest::isPhone).toList();

    demo.destroyForcibly(); // SIGKILL

    assertThat(demo.waitFor(60, TimeUnit.SECONDS)).isTrue();
    Polling.until(() -> phones.stream().noneMatch(ProcessHandle::isAlive));
  }

  private static boolean isPhone(ProcessHandle process) {
    return process.info().command().filter(it -> it.endsWith("java")).isPresent();
  }

  @Test
  void refusesWhatItCannotDo() throws Exception {
    Process noTerminal = launch();
    assertThat(said(noTerminal)).contains("once: there is no terminal: add --script");
    assertThat(noTerminal.exitValue()).isEqualTo(1);
    Process misused = launch("--sed", "7");
    assertThat(said(misused)).contains("--sed");
    assertThat(misused.exitValue()).isEqualTo(2);
    Process tooMany = launch("--rounds", "1001");
    assertThat(said(tooMany)).contains("once: --rounds must be 0 to 1000, got 1001");
    assertThat(tooMany.exitValue()).isEqualTo(2);
  }

  @Test
  void explainsItselfWithoutBuilding() throws Exception {
    Process script = new ProcessBuilder("bash", "../../once", "demo", "offline", "--help").start();
    String help = said(script);

    assertThat(new CommandLine(new Demo()).getCommandSpec().options())
        .hasSize(4)
        .allSatisfy(option -> assertThat(help).contains("  " + option.longestName() + " "));
  }

  private Process launch(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("demo", "--folder", folder.toString()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static String said(Process process) throws Exception {
    process.getOutputStream().close();
    String said = String.join("\n", process.inputReader().lines().toList()) + "\n";
    process.waitFor();
    return said;
  }
}
