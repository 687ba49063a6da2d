package dev.once.examples.payments;

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

@Timeout(180)
class DemoTest {
  @TempDir Path folder;

  @Test
  void endsWithOneChargePerPaidOrderAndTheStockOfTheOthersReleased() throws Exception {
    Process demo = launch("--orders", "60", "--seed", "7");
    String said = said(demo);

    assertThat(demo.exitValue()).as(said).isZero();
    assertThat(said)
        .containsPattern("charges at the provider +54\\n")
        .containsPattern("orders charged twice +0\\n")
        .containsPattern("orders shipped +54\\n")
        .containsPattern("orders not paid +6\\n")
        .containsPattern("reservations of stock +60\\n")
        .containsPattern("released +6\\n")
        .containsPattern("missing in the stock +54\\n")
        .containsPattern("shop killed +3\\n")
        .endsWith("every order was reserved once, and charged and shipped once or released\n");
  }

  @Test
  void refusesWhatItCannotDo() throws Exception {
    assertThat(said(launch("--orders", "0"))).contains("once: --orders must be 1 to 100000");
    Process misused = launch("--sed", "7");
    assertThat(said(misused)).contains("--sed");
    assertThat(misused.exitValue()).isEqualTo(2);
  }

  @Test
  void leavesNothingRunningWhenItIsEnded() throws Exception {
    Process demo = launch("--orders", "1000", "--seed", "7");
    Polling.until(() -> demo.descendants().count() > 4);
    List<ProcessHandle> parts = demo.descendants().toList();

    demo.destroy(); // SIGTERM

    assertThat(demo.waitFor(60, TimeUnit.SECONDS)).isTrue();
    Polling.until(() -> parts.stream().noneMatch(ProcessHandle::isAlive));
  }

  @Test
  void explainsItselfWithoutBuilding() throws Exception {
    Process script = new ProcessBuilder("bash", "../../once", "demo", "payments", "--help").start();
    String help = said(script);

    assertThat(new CommandLine(new Demo()).getCommandSpec().options())
        .hasSize(3)
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
    String said = String.join("\n", process.inputReader().lines().toList()) + "\n";
    process.waitFor();
    return said;
  }
}
