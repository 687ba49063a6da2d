package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

@Timeout(300)
class DemoTest {
  private static final int INTERRUPTED = 130;

  /** One folder for tests that do not depend on its contents: only the first of them fills it. */
  @TempDir static Path shared;

  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void servesUntilCtrlCAndLeavesNothingRunning() throws Exception {
    try (var demo = DemoProcess.start(shared)) {
      List<ProcessHandle> parts = demo.descendants();
      assertThat(create(demo, "acme-planner", "Bridge")).isEqualTo(201);
      assertThat(create(demo, "acme-viewer", "Tunnel")).isEqualTo(403);
      assertThat(create(demo, "stranger", "Tunnel")).isEqualTo(401);

      assertThat(demo.interrupt()).isEqualTo(INTERRUPTED);

      assertThat(demo.lastLine()).isEqualTo("stopped");
      assertThat(demo.errors()).isEmpty();
      assertThat(parts).hasSizeGreaterThan(3).noneMatch(ProcessHandle::isAlive);
    }
  }

  @Test
  void keepsDataOverAKillAndWipesItWhenAsked(@TempDir Path folder) throws Exception {
    try (var first = DemoProcess.start(folder)) {
      assertThat(create(first, "acme-planner", "Bridge")).isEqualTo(201);
      first.kill();
    }
    try (var second = DemoProcess.start(folder)) {
      assertThat(projects(second)).contains("Bridge");
      second.interrupt();
    }
    try (var third = DemoProcess.start(folder, "--fresh")) {
      assertThat(projects(third)).doesNotContain("Bridge");
      third.interrupt();
    }
  }

  @Test
  void startsAgainAfterAllButTheDatabaseWasKilled(@TempDir Path folder) throws Exception {
    List<ProcessHandle> left;
    try (var first = DemoProcess.start(folder)) {
      assertThat(create(first, "acme-planner", "Bridge")).isEqualTo(201);
      left = first.killAllButTheDatabase();
    }
    assertThat(left).hasSizeGreaterThan(3).anyMatch(ProcessHandle::isAlive);

    try (var second = DemoProcess.start(folder)) {
      assertThat(projects(second)).contains("Bridge");
      second.interrupt();
    }
  }

  @Test
  void refusesASecondDemoOnTheSameData() throws Exception {
    try (var first = DemoProcess.start(shared);
        var second =
            DemoProcess.launch(Map.of(), "--port", "0", "--folder", shared.toString(), "--fresh")) {
      assertThat(second.exitCode()).isEqualTo(1);
      assertThat(second.errors()).hasLineCount(1).contains("in use by process " + first.pid());
      assertThat(create(first, "acme-planner", "Bridge")).isEqualTo(201);
      first.interrupt();
    }
  }

  @ParameterizedTest
  @EnumSource
  void printsCommandsThatShowTheContract(DemoContract contract) throws Exception {
    try (var demo = DemoProcess.start(shared, "--contract", contract.word())) {
      List<String> commands = demo.commands();

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
      demo.interrupt();
    }
  }

  @Test
  void leavesNoTokensInTheUsersDatabase(@TempDir Path folder) throws Exception {
    PGSimpleDataSource database = EmbeddedPostgres.shared().newDatabase("demo");
    String url = String.valueOf(database.getURL());
    Map<String, String> login =
        Map.of(
            "DATABASE_USER", EmbeddedPostgres.shared().user(),
            "DATABASE_PASSWORD", EmbeddedPostgres.shared().password());
    String[] arguments = {"--port", "0", "--folder", folder.toString(), "--database-url", url};

    try (var demo = DemoProcess.launch(login, arguments).awaitReady()) {
      assertThat(create(demo, "globex-planner", "Bridge")).isEqualTo(201);
      assertThat(tokensIn(database)).isZero();
      assertThat(demo.interrupt()).isEqualTo(INTERRUPTED);
    }

    assertThat(tokensIn(database)).isZero();
    assertThat(folder.resolve("postgres")).doesNotExist();
  }

  private int create(DemoProcess demo, String token, String name) throws Exception {
    HttpRequest request =
        to(demo, token)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", UUID.randomUUID().toString())
            .POST(BodyPublishers.ofString("{\"name\":\"" + name + "\"}"))
            .build();
    return client.send(request, BodyHandlers.discarding()).statusCode();
  }

  private String projects(DemoProcess demo) throws IOException, InterruptedException {
    HttpResponse<String> response =
        client.send(to(demo, "acme-planner").build(), BodyHandlers.ofString());
    assertThat(response.statusCode()).isEqualTo(200);
    return response.body();
  }

  private static HttpRequest.Builder to(DemoProcess demo, String token) {
    return HttpRequest.newBuilder(URI.create(demo.address() + "/v1/projects"))
        .header("Authorization", "Bearer " + token);
  }

  /** Runs the command in a shell, as a user would. */
  private static String answer(String command) throws IOException, InterruptedException {
    Process shell = new ProcessBuilder("sh", "-c", command + " -sS").start();
    String said = String.join("\n", shell.inputReader().lines().toList());
    assertThat(shell.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return said;
  }

  private static int tokensIn(PGSimpleDataSource database) throws Exception {
    try (var connection = database.getConnection();
        var statement = connection.createStatement();
        var rows = statement.executeQuery("select count(*) from api_token")) {
      assertThat(rows.next()).isTrue();
      return rows.getInt(1);
    }
  }
}
