package dev.once.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A request that is sent at once, or through a queue. */
@Timeout(120)
class SendCommandTest {
  private static final String UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

  private final KeyedServer server = new KeyedServer();

  @TempDir Path folder;

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void sendsARequestWithAKeyAndPrintsTheAnswer() {
    CliRun run = send("--json", "{\"name\":\"Ada\"}");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.lines()).hasSize(2);
    assertThat(run.lines().get(0))
        .matches(
            "result=done status=201 attempts=1 id=%1$s key=%1$s advice=- reason=-".formatted(UUID));
    assertThat(run.lines().get(1)).isEqualTo("{\"id\":1}");
    assertThat(server.requests).hasSize(1);
    assertThat(server.requests.get(0).type()).isEqualTo("application/json");
    assertThat(server.requests.get(0).key()).matches(UUID);
  }

  @Test
  void theSameKeyIsReplayed() {
    send("--json", "{}", "--key", "k-1");

    CliRun again = send("--json", "{}", "--key", "k-1", "--json-output");

    assertThat(again.exitCode()).isZero();
    assertThat(again.lines()).hasSize(1);
    assertThat(again.out())
        .contains(
            "\"key\":\"k-1\"",
            "\"result\":\"replayed\",\"replayed\":true,\"attempts\":1,\"status\":201",
            "\"history\":[{\"number\":1,\"status\":201,\"sent\":true,",
            "\"body\":{\"id\":1}");
    assertThat(server.effects()).hasSize(1);
  }

  @Test
  void sendsAgainByTheRulesOfTheContract() {
    server.fail(503, "{}");
    server.fail(502, "");

    CliRun run = send("--json", "{}", "--contract", "mobile");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).startsWith("result=done status=201 attempts=3 ");
    assertThat(server.requests).extracting(KeyedServer.Received::key).hasSize(3);
    assertThat(server.effects()).hasSize(1);
  }

  @Test
  void aRefusalIsExitCode1() {
    server.fail(422, "{\"code\":\"name.missing\"}");

    CliRun run = send("--json", "{}");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.lines().get(0))
        .startsWith("result=refused status=422 attempts=1 ")
        .endsWith(" advice=correct reason=-");
    assertThat(run.lines().get(1)).isEqualTo("{\"code\":\"name.missing\"}");
  }

  @Test
  void anUnknownOutcomeIsExitCode3AndNamesTheKey() {
    server.close();

    CliRun run = send("--json", "{}", "--key", "k-1", "--timeout", "1");

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.out()).startsWith("result=unknown status=- ").contains("advice=send_again");
    assertThat(run.err())
        .isEqualTo("once: its outcome is unknown: repeat the command with --key k-1\n");
  }

  @Test
  void readsBodyAndTokenFromOutside() throws IOException {
    Path body = Files.write(folder.resolve("body.xml"), new byte[] {'<', 'a', '/', '>'});

    CliRun run =
        CliRun.of(
            Map.of("API_TOKEN", "secret"),
            "send",
            "put",
            server.url(),
            "--body-file",
            body.toString(),
            "--content-type",
            "text/xml",
            "--token-env",
            "API_TOKEN",
            "--header",
            "X-Trace: 7");

    assertThat(run.exitCode()).as(run.err()).isZero();
    KeyedServer.Received received = server.requests.get(0);
    assertThat(received.method()).isEqualTo("PUT");
    assertThat(received.type()).isEqualTo("text/xml");
    assertThat(received.body()).isEqualTo("<a/>");
    assertThat(received.authorization()).isEqualTo("Bearer secret");
    assertThat(run.out() + run.err()).doesNotContain("secret");
  }

  @Test
  void aControlCharacterOfTheServerIsNotPrinted() {
    server.fail(400, "\u001b[2Jgone");

    assertThat(send("--json", "{}").out()).contains("\\u{1b}[2Jgone").doesNotContain("\u001b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--contract|loose",
        "--token-env|NOT_SET",
        "--header|Authorization: Bearer x",
        "--header|no colon",
        "--key|two words",
        "--ordering-key|users",
        "--no-wait",
        "--timeout|0",
        "--json|{}|--body-file|x",
        "--content-type|text/plain"
      })
  void refusesWhatItCannotSend(String options) {
    CliRun run = send(options.split("\\|", -1));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).startsWith("once: ").contains("usage: ./once send <method> <url>");
    assertThat(server.requests).isEmpty();
  }

  @Test
  void storesAnOperationAndSendsItUntilItHasEnded() {
    server.fail(503, "{}");
    Path file = folder.resolve("queue.db");

    CliRun run = send("--json", "{\"a\":1}", "--type", "createUser", "--queue", file.toString());

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.lines()).hasSize(3);
    assertThat(run.lines().get(0)).matches(UUID + " state=pending type=createUser request=POST .*");
    assertThat(run.lines().get(1)).startsWith("result=done status=201 attempts=2 ");
    assertThat(run.err()).containsPattern("operation " + UUID + " waits [0-9.]+ s: 503\\n");
    assertThat(server.effects().values()).containsExactly("{\"a\":1}");
  }

  @Test
  void keepsAnOperationWhileTheServerIsAway() {
    int port = server.port();
    String url = server.url();
    server.close();
    Path file = folder.resolve("queue.db");
    CliRun sending = CliRun.start(Map.of(), "send", "POST", url, "--queue", file.toString());
    sending.awaitErr(" waits ");

    assertThat(sending.interrupt()).isEqualTo(130);

    try (KeyedServer back = new KeyedServer(port)) {
      CliRun run = CliRun.of(Map.of(), "queue", "run", file.toString());
      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.out()).startsWith("result=done status=201 ");
      assertThat(back.effects()).hasSize(1);
    }
  }

  @Test
  void theSameRequestIsEnqueuedTwiceOnlyOnPurpose() {
    String file = folder.resolve("queue.db").toString();
    assertThat(send("--queue", file, "--no-wait").exitCode()).isZero();

    CliRun again = send("--queue", file, "--no-wait");

    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err()).contains("the same request as operation ", "--allow-duplicate");
    assertThat(send("--queue", file, "--no-wait", "--allow-duplicate").exitCode()).isZero();
    assertThat(server.requests).isEmpty();
  }

  @Test
  void credentialsThatAreRefusedLoseNothing() {
    String file = folder.resolve("queue.db").toString();
    server.fail(401, "{}");

    CliRun run = send("--queue", file);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("answered by 401", "check --token-env");
    assertThat(CliRun.of(Map.of(), "queue", "run", file).exitCode()).isZero();
    assertThat(server.requests).extracting(KeyedServer.Received::key).hasSize(2);
    assertThat(server.effects()).hasSize(1);
  }

  private CliRun send(String... options) {
    List<String> arguments = new ArrayList<>(List.of("send", "POST", server.url()));
    arguments.addAll(List.of(options));
    return CliRun.of(Map.of(), arguments.toArray(String[]::new));
  }
}
