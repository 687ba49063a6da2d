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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
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
  void keepsDataOverKillsAndWipesItWhenAsked(@TempDir Path folder) throws Exception {
    try (var first = DemoProcess.start(folder)) {
      assertThat(create(first, "acme-planner", "Bridge")).isEqualTo(201);
      first.kill();
    }
    List<ProcessHandle> left;
    try (var second = DemoProcess.start(folder)) {
      assertThat(projects(second)).contains("Bridge");
      left = second.killAllButTheDatabase();
    }
    assertThat(left).hasSizeGreaterThan(3).anyMatch(ProcessHandle::isAlive);
    try (var third = DemoProcess.start(folder)) {
      assertThat(projects(third)).contains("Bridge");
      third.interrupt();
    }
    try (var fourth = DemoProcess.start(folder, "--fresh")) {
      assertThat(projects(fourth)).doesNotContain("Bridge");
      fourth.interrupt();
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

  /** {@link DemoGuideTest} has the commands of the other contracts. */
  @Test
  void printsCommandsThatShowTheContract() throws Exception {
    try (var demo = DemoProcess.start(shared, "--contract", DemoContract.STRIPE.word())) {
      DemoGuideTest.expectContract(demo.commands(), DemoContract.STRIPE);
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

  private static int tokensIn(PGSimpleDataSource database) throws Exception {
    try (var connection = database.getConnection();
        var statement = connection.createStatement();
        var rows = statement.executeQuery("select count(*) from api_token")) {
      assertThat(rows.next()).isTrue();
      return rows.getInt(1);
    }
  }
}
