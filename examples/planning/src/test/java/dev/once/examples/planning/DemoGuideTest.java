package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.http.Contract;
import dev.once.http.ScopeRule;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DemoGuideTest {
  @ParameterizedTest
  @EnumSource
  void hasCommandsThatShowTheContract(DemoContract contract) throws Exception {
    PlanningServer server = PlanningServer.under(contract.word());
    DemoTokens.lend(server.bean(ApiTokens.class));
    ScopeRule scope = server.bean(Contract.class).scope();

    expectContract(
        new DemoGuide(contract, scope, server.url().toString(), UUID.randomUUID()).commands(),
        contract);
  }

  /** Runs the commands and fails unless their answers show the behaviour of {@code contract}. */
  static void expectContract(List<String> commands, DemoContract contract) throws Exception {
    assertThat(answer(commands.get(0)))
        .startsWith("HTTP/1.1 201")
        .doesNotContainIgnoringCase(contract.replayMarker());
    assertThat(answer(commands.get(1)))
        .startsWith("HTTP/1.1 201")
        .containsIgnoringCase(contract.replayMarker());
    assertThat(answer(commands.get(2))).startsWith("HTTP/1.1 " + contract.refusalStatus());
    assertThat(answer(commands.get(3))).startsWith("HTTP/1.1 200").contains("\"status\":201");
    assertThat(answer(commands.get(4)))
        .startsWith("HTTP/1.1 200")
        .contains("\nidempotency_hit_total{");
  }

  /** Runs the command in a shell, as a user would. */
  private static String answer(String command) throws IOException, InterruptedException {
    Process shell = new ProcessBuilder("sh", "-c", command + " -sS").start();
    String said = String.join("\n", shell.inputReader().lines().toList());
    assertThat(shell.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return said;
  }
}
