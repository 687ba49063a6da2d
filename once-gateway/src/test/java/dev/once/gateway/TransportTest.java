package dev.once.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** HTTP/2, TLS, WebSocket and long answers. */
@Timeout(60)
class TransportTest {
  private static final int MEBIBYTE = 1 << 20;
  private static final int MEBIBYTES = 200;

  @TempDir private Path folder;

  @Test
  void passesALongAnswerWhileItIsStillBeingSent() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    try (ScriptedService service =
            new ScriptedService(
                (request, to) -> {
                  to.send("HTTP/1.1 200 X\r\nContent-Length: " + (long) MEBIBYTES * MEBIBYTE);
                  to.send("\r\n\r\n");
                  String part = "x".repeat(MEBIBYTE);
                  to.send("data:");
                  assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
                  to.send(part.substring(5));
                  for (int i = 1; i < MEBIBYTES; i++) {
                    to.send(part);
                  }
                });
        RunningGateway gateway = RunningGateway.before(service.url())) {
      HttpResponse<InputStream> answer =
          HttpClient.newHttpClient()
              .send(gateway.request("/film").build(), BodyHandlers.ofInputStream());

      long bytes;
      try (InputStream body = answer.body()) {
        bytes = body.readNBytes(5).length;
        begun.countDown();
        bytes += body.transferTo(java.io.OutputStream.nullOutputStream());
      }
      assertThat(bytes).isEqualTo((long) MEBIBYTES * MEBIBYTE);
    }
  }

  @Test
  void doesNotPassAPartForTheWhole() throws Exception {
    try (ScriptedService service =
            new ScriptedService(
                (request, to) -> {
                  to.send("HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n");
                  to.send("100000\r\n" + "x".repeat(MEBIBYTE) + "\r\n");
                  to.socket().close();
                });
        RunningGateway gateway = RunningGateway.before(service.url())) {
      assertThatThrownBy(() -> gateway.get("/film")).isInstanceOf(IOException.class);
    }
  }

  @Test
  void guardsAnAnswerThatIsTooLargeToKeep() throws Exception {
    try (ScriptedService service =
            new ScriptedService((request, to) -> to.ok("x".repeat(3 * MEBIBYTE)));
        RunningGateway gateway = RunningGateway.before(service.url())) {
      HttpResponse<String> first = gateway.post("/film", "f-1", "{}");
      HttpResponse<String> retry = gateway.post("/film", "f-1", "{}");

      assertThat(first.body()).hasSize(3 * MEBIBYTE);
      assertThat(retry.body()).contains("idempotency.answer_not_kept");
      assertThat(service.requests("POST")).isEqualTo(1);
    }
  }

  @Test
  void replaysOverHttp2() throws Exception {
    TlsKeys keys = TlsKeys.of(folder, "localhost");
    Files.writeString(folder.resolve("password"), TlsKeys.PASSWORD + "\n");
    HttpClient client = HttpClient.newBuilder().sslContext(keys.client()).build();
    Path file = folder.resolve("gateway.yaml");
    try (ScriptedService service = new ScriptedService((request, to) -> to.ok("done"))) {
      Files.writeString(
          file,
          """
          listen: {port: 0, tls: {keyStore: localhost.p12, passwordFile: password}}
          admin: {port: 0}
          upstream: {url: '%s'}
          """
              .formatted(service.url()));
      try (RunningGateway gateway =
          RunningGateway.start(SettingsFile.read(file), RunningGateway.database())) {
        String address = "https://localhost:" + gateway.port();
        assertReplays(client, address, HttpClient.Version.HTTP_2);
      }
      assertThat(service.requests("POST")).isEqualTo(1);
      assertThat(service.requests())
          .filteredOn(it -> it.startsWith("POST"))
          .allMatch(it -> it.endsWith("\r\n\r\nbody") || it.endsWith("\r\n4\r\nbody\r\n0\r\n\r\n"));
    }
  }

  @Test
  void speaksHttp2WithoutTlsToClientsThatBeginWithItAndUpgradesNobody() throws Exception {
    try (ScriptedService service = new ScriptedService((request, to) -> to.ok("done"));
        RunningGateway gateway = RunningGateway.before(service.url())) {
      String settings =
          RawClient.exchange(
              gateway.port(),
              "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"
                  + "\0\0\u0008\7\0\0\0\0\0\0\0\0\0\0\0\0\0"); // SETTINGS, GOAWAY

      assertThat(settings.charAt(3)).as("type of the first frame").isEqualTo('\4');
      assertReplays(
          HttpClient.newHttpClient(), // Asks for an upgrade.
          "http://127.0.0.1:" + gateway.port(),
          HttpClient.Version.HTTP_1_1);
    }
  }

  private static void assertReplays(HttpClient client, String address, HttpClient.Version version)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address + "/orders"))
            .header("Idempotency-Key", "h2")
            // Without a length, as only HTTP/2 can.
            .POST(
                BodyPublishers.ofInputStream(
                    () -> new java.io.ByteArrayInputStream("body".getBytes(UTF_8))))
            .build();
    HttpResponse<String> first = client.send(request, BodyHandlers.ofString());
    HttpResponse<String> retry = client.send(request, BodyHandlers.ofString());

    assertThat(first.version()).isEqualTo(version);
    assertThat(first.body()).isEqualTo("done");
    assertThat(retry.headers().firstValue("Idempotency-Replayed")).hasValue("true");
  }

  @Test
  void passesAWebSocketUntouched() throws Exception {
    BlockingQueue<String> received = new LinkedBlockingQueue<>();
    try (ScriptedService service = new ScriptedService(TransportTest::echo);
        RunningGateway gateway = RunningGateway.before(service.url())) {
      WebSocket socket =
          HttpClient.newHttpClient()
              .newWebSocketBuilder()
              .header("Once-Tenant", "forged")
              .buildAsync(
                  URI.create("ws://127.0.0.1:" + gateway.port() + "/chat?room=1"),
                  new Listener(received))
              .get(10, TimeUnit.SECONDS);

      assertThat(received.poll(10, TimeUnit.SECONDS)).isEqualTo("welcome");
      for (int i = 0; i < 3; i++) {
        socket.sendText("hello " + i, true).get(10, TimeUnit.SECONDS);
        assertThat(received.poll(10, TimeUnit.SECONDS)).isEqualTo("hello " + i);
      }
      socket.sendClose(WebSocket.NORMAL_CLOSURE, "").get(10, TimeUnit.SECONDS);
      assertThat(received.poll(10, TimeUnit.SECONDS)).isEqualTo("[closed]");
      assertThat(service.requests()).hasSize(1);
      assertThat(service.requests().get(0))
          .startsWith("GET /chat?room=1 HTTP/1.1\r\n")
          .doesNotContain("forged");
    }
  }

  @Test
  void passesTheRefusalOfAWebSocket() throws Exception {
    try (ScriptedService service = new ScriptedService((request, to) -> to.status(403, "not you"));
        RunningGateway gateway = RunningGateway.before(service.url())) {
      String answer =
          RawClient.exchange(
              gateway.port(),
              RawClient.lines(
                  "GET /chat HTTP/1.1~Host: a~Connection: Upgrade~Upgrade: websocket~"
                      + "Sec-WebSocket-Version: 13~Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==~~"));

      assertThat(answer).startsWith("HTTP/1.1 403").contains("not you");
    }
  }

  @Test
  void passesNoIdentityThatTheClientOfAWebSocketClaims() throws Exception {
    try (ScriptedService service = new ScriptedService((request, to) -> to.status(403, "not you"));
        RunningGateway gateway =
            RunningGateway.of(
                """
                upstream: {url: '%s'}
                authentication:
                  trustedHeaders: {peers: [10.0.0.0/8], tenant: X-Tenant, caller: X-User}
                """
                    .formatted(service.url()))) {
      RawClient.exchange(
          gateway.port(),
          RawClient.lines(
              "GET /chat HTTP/1.1~Host: a~Connection: Upgrade~Upgrade: websocket~"
                  + "X-Tenant: forged~X_User: forged~"
                  + "Sec-WebSocket-Version: 13~Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==~~"));

      assertThat(service.requests()).singleElement().asString().doesNotContain("forged");
    }
  }

  /** Accepts a handshake, greets, and sends every text of a client back. */
  private static void echo(String request, ScriptedService.Connection to) throws Exception {
    String key = request.replaceAll("(?is).*sec-websocket-key: ([^\r]*).*", "$1");
    byte[] hash =
        MessageDigest.getInstance("SHA-1")
            .digest((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(UTF_8));
    to.send(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: "
            + Base64.getEncoder().encodeToString(hash)
            + "\r\n\r\n"
            + "\u0081\u0007welcome"); // In one packet with the handshake.
    InputStream in = to.socket().getInputStream();
    while (true) {
      int kind = in.read();
      int length = in.read() & 0x7f;
      byte[] mask = in.readNBytes(4);
      byte[] text = in.readNBytes(length);
      for (int i = 0; i < length; i++) {
        text[i] ^= mask[i % 4];
      }
      to.send((char) kind + "" + (char) length + new String(text, ISO_8859_1));
      if (kind == 0x88) {
        return;
      }
    }
  }

  private record Listener(BlockingQueue<String> received) implements WebSocket.Listener {
    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
      received.add(text.toString());
      socket.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
      received.add("[closed]");
      return null;
    }
  }
}
