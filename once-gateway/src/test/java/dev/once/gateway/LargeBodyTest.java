package dev.once.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Key;
import dev.once.spi.State;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Bodies that are too large for memory: kept in files, compared by their bytes, sent when whole.
 */
@Timeout(60)
class LargeBodyTest {
  private static final int MEBIBYTE = 1 << 20;
  private static final int CUT_OFF = -1;

  @TempDir private Path folder;

  private final ScriptedService service = new ScriptedService((request, to) -> to.ok("stored"));

  @AfterEach
  void stop() {
    service.close();
  }

  private String settings(String maxBody, String space) {
    return "upstream: {url: '%s', timeout: 5s}\nmaxBody: %s\nspool: {folder: '%s', space: %s}\n"
        .formatted(service.url(), maxBody, folder.resolve("spool"), space);
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private static HttpResponse<String> post(RunningGateway gateway, String key, byte[] body)
      throws Exception {
    return post(gateway, key, "application/octet-stream", BodyPublishers.ofByteArray(body));
  }

  private static HttpResponse<String> post(
      RunningGateway gateway, String key, String type, BodyPublisher body) throws Exception {
    return RunningGateway.send(
        gateway.request("/files", "Idempotency-Key", key, "Content-Type", type).POST(body).build());
  }

  private static BodyPublisher chunked(byte[] body) {
    return BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body));
  }

  private static String replayed(HttpResponse<String> answer) {
    return answer.headers().firstValue("Idempotency-Replayed").orElse("no");
  }

  private static long kept(RunningGateway gateway) throws Exception {
    String metric = "once_gateway_spooled_bytes ";
    return gateway
        .admin("/metrics")
        .lines()
        .filter(it -> it.startsWith(metric))
        .mapToLong(it -> (long) Double.parseDouble(it.substring(metric.length())))
        .findFirst()
        .orElseThrow();
  }

  private void assertNothingIsLeft(RunningGateway gateway) throws Exception {
    Waiting.until("the spool is empty", () -> kept(gateway) == 0);
    try (Stream<Path> files = Files.list(folder.resolve("spool"))) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void sendsALargeBodyOnceAndReplays() throws Exception {
    byte[] body = random(3 * MEBIBYTE + 17);
    byte[] other = body.clone();
    other[2 * MEBIBYTE]++;
    try (RunningGateway gateway = RunningGateway.of(settings("8MiB", "8MiB"))) {
      HttpResponse<String> first = post(gateway, "f-1", body);
      HttpResponse<String> retry = post(gateway, "f-1", "application/octet-stream", chunked(body));
      HttpResponse<String> reused = post(gateway, "f-1", other);

      assertThat(first.body()).isEqualTo("stored");
      assertThat(replayed(retry)).isEqualTo("true");
      assertThat(reused.statusCode()).isEqualTo(409);
      assertThat(reused.body()).contains("idempotency.payload_mismatch");
      assertThat(service.requests()).hasSize(1);
      assertThat(service.requests().get(0)).endsWith("\r\n\r\n" + new String(body, ISO_8859_1));
      assertNothingIsLeft(gateway);
    }
  }

  @Test
  void sendsAWholeBodyOfAClientThatDoesNotSayItsLength() throws Exception {
    byte[] body = random(2 * MEBIBYTE);
    try (RunningGateway gateway = RunningGateway.of(settings("8MiB", "8MiB"))) {
      HttpResponse<String> first = post(gateway, "f-1", "application/octet-stream", chunked(body));

      assertThat(first.body()).isEqualTo("stored");
      assertThat(replayed(post(gateway, "f-1", body))).isEqualTo("true");
      assertThat(service.requests()).hasSize(1);
    }
  }

  @Test
  void sendsABodyThatIsLargerThanABufferOnANewConnection() throws Exception {
    for (int i = 0; i < 3; i++) {
      byte[] body = random(200_000 + i);
      try (RunningGateway gateway = RunningGateway.before(service.url())) {
        assertThat(post(gateway, "b-" + i, body).body()).isEqualTo("stored");
      }
      assertThat(service.requests().get(i)).endsWith(new String(body, ISO_8859_1));
    }
  }

  @Test
  void comparesByTheSameRuleWhateverTheLimitsOfAGatewayAre() throws Exception {
    DataSource database = RunningGateway.database();
    String json = "{\"a\": [" + "1, ".repeat(MEBIBYTE / 3 - 10) + "1]}";
    String sameJson = json.replace(" ", "");
    String large = json + " ".repeat(MEBIBYTE);
    assertThat(json.length()).isLessThan(MEBIBYTE);
    try (RunningGateway small = RunningGateway.of(settings("3MiB", "3MiB"), database);
        RunningGateway tall = RunningGateway.of(settings("1GiB", "2GiB"), database)) {
      assertThat(replayed(postJson(small, "j-1", json))).isEqualTo("no");
      assertThat(replayed(postJson(tall, "j-1", sameJson))).isEqualTo("true");
      assertThat(replayed(postJson(small, "j-2", large))).isEqualTo("no");
      assertThat(replayed(postJson(tall, "j-2", large))).isEqualTo("true");
      assertThat(postJson(tall, "j-2", large + " ").statusCode()).isEqualTo(409);
    }
  }

  private static HttpResponse<String> postJson(RunningGateway gateway, String key, String json)
      throws Exception {
    return post(gateway, key, "application/json", BodyPublishers.ofString(json));
  }

  @Test
  void claimsAndSendsNothingBeforeTheWholeBodyHasArrived() throws Exception {
    byte[] body = random(3 * MEBIBYTE);
    try (RunningGateway gateway = RunningGateway.of(settings("8MiB", "8MiB"))) {
      try (Socket client = upload(gateway, "f-1", body, 2 * MEBIBYTE)) {
        Waiting.until("most of it is kept", () -> kept(gateway) > MEBIBYTE);
        assertThat(client.isClosed()).isFalse();
        assertThat(record(gateway, "f-1")).isEmpty();
        try (Stream<Path> files = Files.list(folder.resolve("spool"))) {
          assertThat(files).as("names that would survive this process").isEmpty();
        }
      }

      assertNothingIsLeft(gateway);
      assertThat(service.requests()).isEmpty();
      assertThat(record(gateway, "f-1")).isEmpty();
      assertThat(post(gateway, "f-1", body).body()).isEqualTo("stored");
    }
  }

  /** Sends a head and the first bytes of a body. */
  private static Socket upload(RunningGateway gateway, String key, byte[] body, int length)
      throws IOException {
    Socket client = new Socket(InetAddress.getLoopbackAddress(), gateway.port());
    String head =
        RawClient.lines(
            "POST /files HTTP/1.1~Host: a~Connection: close~Content-Type: application/octet-stream~"
                + "Idempotency-Key: "
                + key
                + "~Content-Length: "
                + body.length
                + "~~");
    client.getOutputStream().write(head.getBytes(ISO_8859_1));
    client.getOutputStream().write(body, 0, length);
    client.getOutputStream().flush();
    return client;
  }

  /** Sends a head and so much of its body as the gateway reads, and returns the answer. */
  private static String answerTo(RunningGateway gateway, String key, byte[] body, int length)
      throws IOException {
    try (Socket client = upload(gateway, key, body, length)) {
      return new String(client.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  /** Returns the status for a body of chunks; a client that is still sending may not see it. */
  private static int statusOfChunks(RunningGateway gateway, String key, byte[] body)
      throws Exception {
    try {
      return post(gateway, key, "application/octet-stream", chunked(body)).statusCode();
    } catch (IOException e) {
      return CUT_OFF;
    }
  }

  private static java.util.Optional<State> record(RunningGateway gateway, String key) {
    return gateway
        .store()
        .find(new Key("local", "api:" + Plan.EVERYTHING_ELSE, key))
        .map(it -> it.state());
  }

  @Test
  void refusesALargeBodyWhileOthersTakeAllTheRoom() throws Exception {
    byte[] first = random(2 * MEBIBYTE);
    byte[] second = random(2 * MEBIBYTE - 1);
    try (RunningGateway gateway = RunningGateway.of(settings("2MiB", "3MiB"));
        Socket client = upload(gateway, "f-1", first, 2 * MEBIBYTE - 100)) {
      Waiting.until("most of it is kept", () -> kept(gateway) > 2 * MEBIBYTE - 70_000);

      assertThat(answerTo(gateway, "f-2", second, MEBIBYTE + 1))
          .startsWith("HTTP/1.1 503")
          .contains("body.no_space", "Retry-After: ");
      assertThat(statusOfChunks(gateway, "f-2", second)).isIn(503, CUT_OFF);
      assertThat(record(gateway, "f-2")).isEmpty();
      assertThat(gateway.post("/small", "s-1", "{}").body()).isEqualTo("stored");

      client.getOutputStream().write(first, 2 * MEBIBYTE - 100, 100);
      String answer = new String(client.getInputStream().readAllBytes(), ISO_8859_1);
      assertThat(answer).startsWith("HTTP/1.1 200").endsWith("stored");
      assertNothingIsLeft(gateway);
      assertThat(post(gateway, "f-2", second).body()).isEqualTo("stored");
      assertThat(service.requests("POST /files")).isEqualTo(2);
    }
  }

  @Test
  void refusesABodyOverItsLimitAndKeepsNothingOfIt() throws Exception {
    byte[] body = random(3 * MEBIBYTE);
    try (RunningGateway gateway = RunningGateway.of(settings("2MiB", "8MiB"))) {
      assertThat(answerTo(gateway, "f-1", body, 0))
          .startsWith("HTTP/1.1 413")
          .contains("at most 2097152 bytes");
      assertThat(statusOfChunks(gateway, "f-2", body)).isIn(413, CUT_OFF);
      assertThat(service.requests()).isEmpty();
      assertNothingIsLeft(gateway);
    }
  }

  @Test
  void keepsNothingOfABodyWhoseOutcomeIsUnknown() throws Exception {
    service.now((request, to) -> to.reset());
    try (RunningGateway gateway = RunningGateway.of(settings("8MiB", "8MiB"))) {
      HttpResponse<String> unknown = post(gateway, "f-1", random(2 * MEBIBYTE));

      assertThat(unknown.statusCode()).isEqualTo(504);
      assertThat(record(gateway, "f-1")).contains(State.IN_PROGRESS);
      assertNothingIsLeft(gateway);
    }
  }

  @Test
  void bindsNoKeyToPartOfAMultipartBody() throws Exception {
    String part = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n";
    try (RunningGateway gateway = RunningGateway.before(service.url())) {
      try (Socket client = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
        client
            .getOutputStream()
            .write(
                ("POST /files HTTP/1.1\r\nHost: a\r\nIdempotency-Key: m-1\r\nContent-Length: 99\r\n"
                        + "Content-Type: multipart/form-data; boundary=b\r\n\r\n"
                        + part)
                    .getBytes(ISO_8859_1));
        client.shutdownOutput();
        while (client.getInputStream().read() >= 0) {} // Until the gateway has given up.
      }
      assertThat(record(gateway, "m-1")).isEmpty();
      assertThat(service.requests()).isEmpty();
    }
  }
}
