package dev.once.clients.javascript;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The queue in Node against the real service, under the contract that is for phones. */
class PlanningTest {
  private static final int KILLS = 5;
  private static final String OPERATIONS = "15";

  /** Each operation is stored and sent at least once. */
  private static final int MOST_EVENTS = 30;

  private static final String SENDING = "sending";
  private static final Pattern NAME = Pattern.compile("\"name\":\"([^\"]*)\"");

  /** Each may see the projects of its own tenant. */
  private static final String OF_ACME = "acme-planner";

  private static final String OF_GLOBEX = "globex-planner";

  @TempDir private static Path dataFolder;
  private static PlanningProcess planning;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws IOException {
    planning = PlanningProcess.start(dataFolder.resolve("planning"), "mobile");
  }

  @AfterAll
  static void stop() {
    planning.close();
  }

  @Test
  void createsEachProjectOnceAlthoughTheClientIsKilled() throws Exception {
    createAndKill(planning.address(), OF_ACME);
  }

  @Test
  void createsEachProjectOnceAlthoughTheLinkFailsAndTheClientIsKilled() throws Exception {
    try (LossyLink link = LossyLink.to(planning.address())) {
      createAndKill(link.address(), OF_GLOBEX);

      assertThat(link.faults()).isPositive();
    }
  }

  private void createAndKill(String address, String token) throws Exception {
    List<String> stored = new ArrayList<>();
    for (int life = 0; life < KILLS; life++) {
      stored.addAll(liveAndDie(client(address, token, "life" + life)));
    }

    Process last = client(address, token, "last");
    last.inputReader().lines().forEach(line -> note(line, stored));

    assertThat(last.waitFor()).as("exit code, after %s", stored).isZero();
    assertThat(stored).allMatch(it -> it.matches("(life\\d|last)-\\d+"));
    assertThat(projects(token)).doesNotHaveDuplicates().containsAll(stored);
  }

  /** Returns what the client stored before it was killed. */
  private static List<String> liveAndDie(Process client) throws Exception {
    BufferedReader out = client.inputReader();
    List<String> stored = new ArrayList<>();
    // Any moment is one to die in: so many events after it began to store, or to send.
    for (int events = 1 + new Random().nextInt(MOST_EVENTS); events > 0; events--) {
      note(String.valueOf(out.readLine()), stored);
    }
    client.toHandle().destroyForcibly(); // That of the process would close its output, too.
    out.lines().forEach(line -> note(line, stored));
    client.waitFor();
    return stored;
  }

  private static void note(String line, List<String> stored) {
    if (!line.equals(SENDING)) {
      stored.add(line);
    }
  }

  private Process client(String address, String token, String life) throws IOException {
    ProcessBuilder builder =
        Node.process(
            "--no-warnings",
            "test/killed-process.js",
            folder.resolve("queue.db").toString(),
            address + "/v1/projects",
            life,
            OPERATIONS);
    builder.environment().put("TOKEN", token);
    builder.environment().put("TELL", SENDING);
    return builder.start();
  }

  private static List<String> projects(String token) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(planning.address() + "/v1/projects?limit=100"))
            .header("Authorization", "Bearer " + token)
            .build();
    String page = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    assertThat(page).contains("\"items\"").contains("\"next\":null");
    return NAME.matcher(page).results().map(it -> it.group(1)).toList();
  }
}
