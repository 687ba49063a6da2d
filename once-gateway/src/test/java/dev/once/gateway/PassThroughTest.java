package dev.once.gateway;

import static java.net.http.HttpRequest.BodyPublishers.noBody;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests without a guard: what the service and the client get of them, and of failures. */
@Timeout(60)
class PassThroughTest {
  private ScriptedService service;
  private RunningGateway gateway;

  @BeforeEach
  void start() {
    service = new ScriptedService((request, to) -> to.ok("done"));
    gateway =
        RunningGateway.of(
            """
            upstream: {url: '%s', timeout: 700ms, breaker: {calls: 1, openTime: 60s}}
            routes: [{method: POST, path: /free, guarded: false}]
            """
                .formatted(service.url()));
  }

  @AfterEach
  void stop() {
    gateway.close();
    service.close();
  }

  private String raw(String head) throws Exception {
    return RawClient.exchange(gateway.port(), RawClient.lines(head + "Connection: close~~"));
  }

  @Test
  void tellsTheServiceWhoAsksAndNothingOfTheConnection() throws Exception {
    raw(
        "GET /orders?a=%20 HTTP/1.1~Host: shop.example~X-Own: yes~Connection: X-Hop~X-Hop: 1~"
            + "Keep-Alive: 5~TE: trailers~Forwarded: for=forged~X_Forwarded_For: forged~"
            + "X-Real-IP: forged~Once_Tenant: forged~X-Request-ID: r-1~");

    assertThat(service.requests())
        .singleElement()
        .asString()
        .startsWith("GET /orders?a=%20 HTTP/1.1\r\n")
        .contains("X-Own: yes", "Once-Tenant: local", "Once-Caller: anonymous")
        .contains("X-Request-ID: r-1", "X-Correlation-ID: r-1", "Via: 1.1 once")
        .contains("X-Forwarded-For: 127.0.0.1", "X-Forwarded-Host: shop.example")
        .contains("X-Forwarded-Proto: http", "for=\"127.0.0.1\";host=\"shop.example\"")
        .contains("Host: 127.0.0.1:")
        .doesNotContain("forged", "X-Hop", "Keep-Alive", "trailers", "Once-Fence");
  }

  @Test
  void passesEveryHeaderOfTheAnswerAndKeepsItsOwnIds() throws Exception {
    service.now(
        (request, to) ->
            to.send(
                "HTTP/1.1 203 X\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nX-Request-ID: other\r\n"
                    + "Keep-Alive: 5\r\nContent-Length: 4\r\n\r\ndone"));

    HttpResponse<String> answer = gateway.get("/orders", "X-Request-ID", "r-1");

    assertThat(answer.statusCode()).isEqualTo(203);
    assertThat(answer.body()).isEqualTo("done");
    assertThat(answer.headers().allValues("Set-Cookie")).containsExactly("a=1", "b=2");
    assertThat(answer.headers().allValues("X-Request-ID")).containsExactly("r-1");
    assertThat(answer.headers().map()).doesNotContainKey("Keep-Alive");
  }

  @Test
  void passesAnswersThatHaveNoBody() throws Exception {
    service.now(
        (request, to) ->
            to.send(
                request.startsWith("HEAD")
                    ? "HTTP/1.1 200 X\r\nContent-Length: 4\r\n\r\n"
                    : "HTTP/1.1 304 X\r\nETag: \"1\"\r\nContent-Length: 4\r\n\r\n"));

    for (int i = 0; i < 2; i++) { // Also if the connection is used again.
      HttpResponse<String> head =
          RunningGateway.send(gateway.request("/orders").method("HEAD", noBody()).build());
      HttpResponse<String> unchanged = gateway.get("/orders");

      assertThat(head.statusCode()).isEqualTo(200);
      assertThat(head.headers().firstValue("Content-Length")).hasValue("4");
      assertThat(unchanged.statusCode()).isEqualTo(304);
      assertThat(unchanged.headers().firstValue("ETag")).hasValue("\"1\"");
    }
  }

  @Test
  void sendsAWriteOfEachLengthOnceAndWhole() throws Exception {
    RunningGateway.send(free().POST(noBody()).build());
    RunningGateway.send(free().POST(BodyPublishers.ofString("x".repeat(100_000))).build());
    InputStream unknown = new ByteArrayInputStream("without a length".getBytes(UTF_8));
    RunningGateway.send(free().POST(BodyPublishers.ofInputStream(() -> unknown)).build());
    RunningGateway.send(
        free().expectContinue(true).POST(BodyPublishers.ofString("with leave")).build());

    assertThat(service.requests()).hasSize(4).allMatch(it -> !it.contains("Expect"));
    assertThat(service.requests().get(0)).endsWith("\r\n\r\n");
    assertThat(service.requests().get(1)).endsWith("\r\n\r\n" + "x".repeat(100_000));
    assertThat(service.requests().get(2)).contains("without a length").endsWith("0\r\n\r\n");
    assertThat(service.requests().get(3)).endsWith("\r\n\r\nwith leave");
  }

  private HttpRequest.Builder free() {
    return gateway.request("/free");
  }

  @Test
  void guardsAWriteWhosePathOnlyLooksLikeOneThatPasses() throws Exception {
    assertThat(raw("POST /free/../orders HTTP/1.1~Host: a~Content-Length: 0~"))
        .contains("idempotency.key_required");
    assertThat(raw("POST /fre%65 HTTP/1.1~Host: a~Content-Length: 0~")).contains("HTTP/1.1 200");
    assertThat(service.requests()).hasSize(1);
  }

  @Test
  void saysThatNothingWasSentIfThereIsNoService() throws Exception {
    String nowhere = "http://127.0.0.1:" + freePort();
    try (RunningGateway alone = RunningGateway.before(nowhere)) {
      HttpResponse<String> answer = alone.get("/orders", "X-Request-ID", "r-1");

      assertThat(answer.statusCode()).isEqualTo(502);
      assertThat(answer.body()).contains("upstream.unreachable");
      assertThat(answer.headers().allValues("X-Request-ID")).containsExactly("r-1");
      assertThat(alone.admin("/metrics")).contains("outcome=\"not_sent\"");
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Test
  void saysThatTheServiceIsTooSlowAndStopsCallingIt() throws Exception {
    CountDownLatch late = new CountDownLatch(1);
    service.now((request, to) -> late.await(20, TimeUnit.SECONDS));

    HttpResponse<String> slow = gateway.get("/orders");
    late.countDown();
    HttpResponse<String> open = gateway.get("/orders");

    assertThat(slow.statusCode()).isEqualTo(504);
    assertThat(slow.body()).contains("upstream.timeout");
    assertThat(open.statusCode()).isEqualTo(503);
    assertThat(open.body()).contains("circuit.open");
    assertThat(service.requests()).hasSize(1);
  }

  @Test
  void keepsCallingAServiceWhoseClientLeavesDuringTheAnswer() throws Exception {
    CountDownLatch left = new CountDownLatch(1);
    service.now(
        (request, to) -> {
          to.send("HTTP/1.1 200 X\r\nContent-Length: 100000000\r\n\r\nbegun");
          assertThat(left.await(20, TimeUnit.SECONDS)).isTrue();
          String part = "x".repeat(1_000_000);
          for (int i = 0; i < 100; i++) {
            to.send(part); // Fails when the gateway gives up.
          }
        });
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
      client
          .getOutputStream()
          .write(RawClient.lines("GET /film HTTP/1.1~Host: a~~").getBytes(US_ASCII));
      assertThat(client.getInputStream().read()).isEqualTo('H');
      client.setSoLinger(true, 0); // Leaves with a reset.
    }
    left.countDown();
    awaitUnknown();
    service.now((request, to) -> to.ok("done"));

    assertThat(gateway.get("/orders").body()).isEqualTo("done");
  }

  private void awaitUnknown() throws Exception {
    while (!gateway.admin("/metrics").contains("outcome=\"unknown\"")) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }
}
