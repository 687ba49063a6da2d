package dev.once.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The program: its options, its own PostgreSQL, signals, and settings that change. */
@Timeout(120)
class ProcessTest {
  @TempDir private Path folder;

  @Test
  void keepsWhatItHasSeenOverARestart() throws Exception {
    try (ScriptedService service = new ScriptedService((request, to) -> to.ok("done"))) {
      String[] options = {
        "--upstream",
        service.url(),
        "--port",
        "0",
        "--admin-port",
        "0",
        "--folder",
        folder.toString()
      };
      try (GatewayProcess gateway = GatewayProcess.start(Map.of(), options)) {
        assertThat(post(gateway, "o-1")).isEqualTo("done null");
        assertThat(gateway.terminate()).isEqualTo(143);
      }
      try (GatewayProcess gateway = GatewayProcess.start(Map.of(), options)) {
        assertThat(post(gateway, "o-1")).isEqualTo("done true");
        assertThat(gateway.terminate()).isEqualTo(143);
      }
      assertThat(service.requests("POST")).isEqualTo(1);
    }
  }

  @Test
  void readsItsFileAgainAndKeepsGoodSettings() throws Exception {
    try (ScriptedService service = new ScriptedService((request, to) -> to.ok("done"))) {
      Path file = folder.resolve("gateway.yaml");
      String good = "listen: {port: 0}\nadmin: {port: 0}\nupstream: {url: '%s'}\n";
      Files.writeString(file, good.formatted(service.url()));
      String[] options = {"--config", file.toString(), "--folder", folder.toString()};
      try (GatewayProcess gateway = GatewayProcess.start(Map.of(), options)) {
        Files.writeString(file, good.formatted(service.url()) + "leese: 3s\n");
        assertThat(gateway.line("settings.refused")).contains("gateway.yaml:4:1: leese is not");
        assertThat(post(gateway, "o-1")).isEqualTo("done null");
        Files.writeString(file, good.formatted(service.url()) + "lease: 3s\n");
        gateway.line("settings.reloaded");
        assertThat(post(gateway, "o-1")).isEqualTo("done true");
      }
    }
  }

  @Test
  void readsItsFileAgainWhenItsTerminalHangsUp() throws Exception {
    assumeFalse(
        ignoresHangUp(), "SIGHUP is ignored here, as under nohup, and stays so in programs");
    Path file = folder.resolve("gateway.yaml");
    Files.writeString(
        file, "listen: {port: 0}\nadmin: {port: 0}\nupstream: {url: 'http://127.0.0.1:1'}\n");
    try (GatewayProcess gateway =
        GatewayProcess.start(
            Map.of(), "--config", file.toString(), "--folder", folder.toString())) {
      gateway.hangUp();

      gateway.line("settings.reloaded");
    }
  }

  /** Reads the mask of ignored signals, in which the first bit is that of SIGHUP. */
  private static boolean ignoresHangUp() throws IOException {
    Path status = Path.of("/proc/self/status");
    return Files.exists(status)
        && Files.readAllLines(status).stream()
            .filter(it -> it.startsWith("SigIgn:"))
            .anyMatch(it -> (Long.parseUnsignedLong(it.substring(7).strip(), 16) & 1) == 1);
  }

  @Test
  void writesOneJsonObjectPerLineForPrograms() throws Exception {
    List<JsonNode> lines = new ArrayList<>();
    try (ScriptedService service = new ScriptedService((request, to) -> to.ok("done"));
        GatewayProcess gateway =
            GatewayProcess.start(
                Map.of("ONCE_LOG", "json"),
                "--upstream",
                service.url(),
                "--port",
                "0",
                "--admin-port",
                "0",
                "--folder",
                folder.toString())) {
      post(gateway, "order-1");
      post(gateway, "order-1");
      for (String line : gateway.stop()) {
        lines.add(JsonMapper.shared().readTree(line)); // Fails for anything else.
      }
    }

    assertThat(lines).allMatch(it -> it.isObject() && it.has("level") && it.has("message"));
    assertThat(lines)
        .extracting(it -> it.get("message").asString())
        .contains("gateway.started", "idempotency_cache_hit", "audit.replay", "gateway.stopping");
    assertThat(lines.toString()).contains("key_hash").doesNotContain("order-1");
  }

  @Test
  void refusesToStartWithoutAUsableSetting() throws Exception {
    assertRefuses("name one, as in --upstream http://127.0.0.1:9000");
    assertRefuses("upstream must be an address", "--upstream", "nonsense");
    assertRefuses(
        "contract must be one of", "--upstream", "http://127.0.0.1:1", "--contract", "lax");
    assertRefuses(
        "store must be jdbc:postgresql://host/database",
        "--upstream",
        "http://127.0.0.1:1",
        "--store",
        "file:x");
  }

  private static void assertRefuses(String reason, String... options) throws Exception {
    try (GatewayProcess gateway = GatewayProcess.launch(Map.of(), options)) {
      assertThat(gateway.line("once:")).contains(reason);
      assertThat(gateway.exitCode()).isEqualTo(2);
    }
  }

  private static String post(GatewayProcess gateway, String key) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + gateway.port() + "/orders");
    var answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(uri)
                    .header("Idempotency-Key", key)
                    .POST(BodyPublishers.ofString("{}"))
                    .build(),
                BodyHandlers.ofString());
    return answer.body() + " " + answer.headers().firstValue("Idempotency-Replayed").orElse("null");
  }
}
