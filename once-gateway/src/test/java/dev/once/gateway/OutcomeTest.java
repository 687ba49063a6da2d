package dev.once.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Key;
import dev.once.spi.State;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What became of a request: done, not sent, or sent and unknown. */
@Timeout(60)
class OutcomeTest {
  private static final String BODY = "{\"amount\":7}";

  @Test
  void releasesTheKeyIfNothingWasSent() throws Exception {
    int port = freePort();
    try (RunningGateway gateway = RunningGateway.before("http://127.0.0.1:" + port)) {
      HttpResponse<String> refused = gateway.post("/pay", "p-1", BODY);

      assertThat(refused.statusCode()).isEqualTo(502);
      assertThat(refused.body()).contains("upstream.unreachable");
      assertThat(refused.headers().firstValue("Retry-After")).isPresent();
      assertThat(refused.headers().firstValue("X-Request-ID")).isPresent();
      assertThat(state(gateway, "p-1")).isEqualTo(State.OPEN);
      assertThat(gateway.admin("/metrics")).contains("outcome=\"not_sent\"");
    }
  }

  @Test
  void sendsARetryAfterTheServiceCameBack() throws Exception {
    DataSource database = RunningGateway.database();
    String away = "http://127.0.0.1:" + freePort();
    try (RunningGateway gateway = RunningGateway.start(RunningGateway.settings(away), database)) {
      gateway.post("/pay", "p-1", BODY);
    }
    try (ScriptedService service = new ScriptedService((request, to) -> to.ok("paid"));
        RunningGateway gateway =
            RunningGateway.start(RunningGateway.settings(service.url()), database)) {
      HttpResponse<String> retry = gateway.post("/pay", "p-1", BODY);

      assertThat(retry.body()).isEqualTo("paid");
      assertThat(retry.headers().firstValue("Idempotency-Replayed")).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"reset", "close", "half head", "short body", "short chunks", "silence"})
  void holdsTheKeyIfTheRequestWasSentAndNoWholeAnswerCameBack(String fault) throws Exception {
    try (ScriptedService service = new ScriptedService((request, to) -> fail(fault, to));
        RunningGateway gateway =
            RunningGateway.of("upstream: {url: '" + service.url() + "', timeout: 700ms}")) {
      HttpResponse<String> unknown = gateway.post("/pay", "p-1", BODY);
      HttpResponse<String> retry = gateway.post("/pay", "p-1", BODY);

      assertThat(unknown.statusCode()).isEqualTo(504);
      assertThat(unknown.body()).contains("idempotency.outcome_unknown");
      assertThat(retry.statusCode()).isEqualTo(409);
      assertThat(retry.body()).contains("idempotency.in_flight");
      assertThat(state(gateway, "p-1")).isEqualTo(State.IN_PROGRESS);
      assertThat(service.requests("POST /pay")).isEqualTo(1);
    }
  }

  private static void fail(String fault, ScriptedService.Connection to) throws Exception {
    switch (fault) {
      case "reset" -> to.reset();
      case "half head" -> to.send("HTTP/1.1 200 OK\r\nContent-");
      case "short body" -> to.send("HTTP/1.1 201 X\r\nContent-Length: 10\r\n\r\nhalf");
      case "short chunks" ->
          to.send("HTTP/1.1 201 X\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n");
      case "silence" -> new CountDownLatch(1).await(20, TimeUnit.SECONDS);
      default -> {}
    }
    to.socket().close();
  }

  @Test
  void neverSendsAgainBecauseALeaseRanOut() throws Exception {
    try (ScriptedService service = new ScriptedService((request, to) -> to.reset());
        RunningGateway gateway =
            RunningGateway.of("upstream: {url: '" + service.url() + "'}\nlease: 300ms")) {
      gateway.post("/pay", "p-1", BODY);

      HttpResponse<String> retry = eventuallyNot("idempotency.in_flight", gateway);

      assertThat(retry.statusCode()).isEqualTo(409);
      assertThat(retry.body()).contains("idempotency.uncertain");
      assertThat(service.requests("POST /pay")).isEqualTo(1);
    }
  }

  @Test
  void sendsAgainAfterTheLeaseIfTheRouteSaysSo() throws Exception {
    try (ScriptedService service = new ScriptedService((request, to) -> to.reset());
        RunningGateway gateway =
            RunningGateway.of(
                "upstream: {url: '" + service.url() + "'}\nlease: 300ms\nrecovery: rerun")) {
      gateway.post("/pay", "p-1", BODY);
      service.now((request, to) -> to.ok("paid"));

      HttpResponse<String> retry = eventuallyNot("idempotency.in_flight", gateway);

      assertThat(retry.body()).isEqualTo("paid");
      assertThat(service.requests())
          .filteredOn(it -> it.startsWith("POST"))
          .extracting(it -> it.replaceAll("(?s).*Once-Attempt: (\\d+).*", "$1"))
          .containsExactly("1", "2");
    }
  }

  @Test
  void asksTheServiceByKeyWhatBecameOfALostAnswer() throws Exception {
    try (ScriptedService service = new ScriptedService(OutcomeTest::payAndForget);
        RunningGateway gateway = RunningGateway.of(probed(service, "/pay/{key}"))) {
      gateway.post("/pay", "p 1", BODY);

      HttpResponse<String> retry = eventuallyNot("idempotency.in_flight", gateway, "p 1");

      assertThat(retry.body()).isEqualTo("paid");
      assertThat(retry.headers().firstValue("Idempotency-Replayed")).hasValue("true");
      assertThat(service.requests("POST")).isEqualTo(1);
      assertThat(service.requests("GET /pay/p%201")).isEqualTo(1);
    }
  }

  private static void payAndForget(String request, ScriptedService.Connection to)
      throws IOException {
    if (request.startsWith("GET")) {
      to.ok("paid");
    } else {
      to.reset();
    }
  }

  @Test
  void sendsAgainIfTheServiceSaysThatItDidNotHappen() throws Exception {
    try (ScriptedService service = new ScriptedService((request, to) -> to.reset());
        RunningGateway gateway = RunningGateway.of(probed(service, "/pay/{key}"))) {
      gateway.post("/pay", "p-1", BODY);
      service.now(
          (request, to) -> {
            if (request.startsWith("GET")) {
              to.status(404, "none");
            } else {
              to.ok("paid now");
            }
          });

      assertThat(eventuallyNot("idempotency.in_flight", gateway).body()).isEqualTo("paid now");
      assertThat(service.requests("POST")).isEqualTo(2);
    }
  }

  @Test
  void staysUncertainWhileTheServiceCannotSay() throws Exception {
    try (ScriptedService service = new ScriptedService((request, to) -> to.reset());
        RunningGateway gateway = RunningGateway.of(probed(service, "/pay/{key}"))) {
      gateway.post("/pay", "p-1", BODY);
      service.now((request, to) -> to.status(500, "broken"));

      HttpResponse<String> retry = eventuallyNot("idempotency.in_flight", gateway);

      assertThat(retry.body()).contains("idempotency.uncertain");
      assertThat(service.requests("POST")).isEqualTo(1);
    }
  }

  private static String probed(ScriptedService service, String path) {
    return """
    upstream: {url: '%s'}
    lease: 300ms
    routes:
      - method: POST
        path: /pay
        probe: {path: '%s', didNotHappen: [404]}
    """
        .formatted(service.url(), path);
  }

  @Test
  void releasesTheKeyIfTheServiceSaysThatItDidNothing() throws Exception {
    try (ScriptedService service = new ScriptedService((request, to) -> to.status(503, "busy"));
        RunningGateway gateway = RunningGateway.before(service.url())) {
      assertThat(gateway.post("/pay", "p-1", BODY).statusCode()).isEqualTo(503);
      service.now((request, to) -> to.ok("paid"));

      assertThat(gateway.post("/pay", "p-1", BODY).body()).isEqualTo("paid");
    }
  }

  @Test
  void asksBeforeItRepeatsWhatTheServiceFailedAt() throws Exception {
    try (ScriptedService service = new ScriptedService((request, to) -> to.status(500, "oops"));
        RunningGateway gateway = RunningGateway.before(service.url())) {
      HttpResponse<String> first = gateway.post("/pay", "p-1", BODY);
      HttpResponse<String> retry = gateway.post("/pay", "p-1", BODY);

      assertThat(first.statusCode()).isEqualTo(500);
      assertThat(first.body()).isEqualTo("oops");
      assertThat(retry.body()).contains("idempotency.uncertain");
      assertThat(service.requests("POST")).isEqualTo(1);
    }
  }

  @Test
  void passesFailuresOfReadsOn() throws Exception {
    try (ScriptedService service = new ScriptedService((request, to) -> to.reset());
        RunningGateway gateway = RunningGateway.before(service.url())) {
      HttpResponse<String> read = gateway.get("/pay");

      assertThat(read.statusCode()).isEqualTo(502);
      assertThat(read.body()).contains("upstream.broken");
      assertThat(service.requests("GET")).isEqualTo(1);
    }
  }

  @Test
  void stopsCallingAServiceThatFails() throws Exception {
    try (ScriptedService service = new ScriptedService((request, to) -> to.status(500, "oops"));
        RunningGateway gateway =
            RunningGateway.of(
                "upstream: {url: '%s', breaker: {calls: 2, openTime: 60s}}"
                    .formatted(service.url()))) {
      gateway.get("/pay");
      gateway.get("/pay");

      HttpResponse<String> refused = gateway.post("/pay", "p-1", BODY);

      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.body()).contains("circuit.open");
      assertThat(state(gateway, "p-1")).isEqualTo(State.OPEN);
      assertThat(service.requests()).hasSize(2);
    }
  }

  @Test
  void keepsCallingAServiceWhoseClientsLeave() throws Exception {
    try (ScriptedService service = new ScriptedService((request, to) -> to.ok("read"));
        RunningGateway gateway =
            RunningGateway.of(
                "upstream: {url: '%s', breaker: {calls: 1, openTime: 60s}}\nunrouted: pass"
                    .formatted(service.url()))) {
      try (Socket client = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
        String half = "POST /film HTTP/1.1~Host: a~Content-Length: 10~~half";
        client.getOutputStream().write(RawClient.lines(half).getBytes(US_ASCII));
        client.setSoLinger(true, 0); // Leaves with a reset.
      }

      for (int i = 0; i < 5; i++) {
        assertThat(gateway.get("/film").body()).isEqualTo("read");
      }
    }
  }

  private static HttpResponse<String> eventuallyNot(String code, RunningGateway gateway)
      throws Exception {
    return eventuallyNot(code, gateway, "p-1");
  }

  /** Repeats a request until it is no longer answered with {@code code}. */
  private static HttpResponse<String> eventuallyNot(String code, RunningGateway gateway, String key)
      throws Exception {
    HttpResponse<String> answer = gateway.post("/pay", key, BODY);
    while (answer.body().contains(code)) {
      Thread.sleep(Duration.ofMillis(50).toMillis());
      answer = gateway.post("/pay", key, BODY);
    }
    return answer;
  }

  private static State state(RunningGateway gateway, String key) {
    Key record = new Key("local", "api:" + Plan.EVERYTHING_ELSE, key);
    return gateway.store().find(record).orElseThrow().state();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
