package dev.once.claims;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.InMemoryRecordStore;
import java.io.ByteArrayInputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What is refused, and that the description refuses it too. */
class RefusalsTest {
  private static final String TOKEN = "\"token\":\"0123456789abcdef\"";
  private static final int MAX_PAYLOAD_BYTES = 1_000;

  /** The payload in Base64, and the other members. */
  private static final int MAX_BODY_BYTES = 1_336 + ClaimsServlet.OTHER_BYTES;

  private ClaimsServer server;
  private Worker worker;

  @BeforeEach
  void start() throws Exception {
    server = new ClaimsServer(new InMemoryRecordStore(), MAX_PAYLOAD_BYTES);
    worker = new Worker(server, "acme-1");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",'unknown':1",
        ",'scope':'s'",
        ",'scope':'','key':'k'",
        ",'scope':'s','key':''",
        ",'scope':'s','key':7",
        ",'scope':'s','key':null",
        ",'scope':'s','key':'k','lease':30000",
        ",'scope':'s','key':'k','lease_millis':99",
        ",'scope':'s','key':'k','lease_millis':86400001",
        ",'scope':'s','key':'k','lease_millis':'30000'",
        ",'scope':'s','key':'k','lease_millis':1000.5",
        ",'scope':'s','key':'k','lease_millis':1e15",
        ",'scope':'s','key':'k','retention_millis':999",
        ",'scope':'s','key':'k','retention_millis':34560000001",
        ",'scope':'s','key':'k','recovery':'ASK'",
        ",'scope':'s','key':'k','max_attempts':0",
        ",'scope':'s','key':'k','max_attempts':10001",
        ",'scope':'s','key':'k','reconciling':'true'",
        ",'scope':'s','key':'k','fingerprint':'no algorithm'",
      })
  void refusesAClaimWithAMemberThatIsNotAccepted(String members) throws Exception {
    String body = "{" + TOKEN + members.replace('\'', '"') + "}";

    Worker.Reply reply = worker.post("/claims", body, Map.of());

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.code()).as(body).isEqualTo("claims.member_refused");
    assertThat(Description.accepts("/claims", Description.MAPPER.readTree(body))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",'outcome':null",
        ",'outcome':{'result':1}",
        ",'outcome':{'status':1000}",
        ",'outcome':{'status':-1}",
        ",'outcome':{'failed':'no'}",
        ",'outcome':{'headers':{}}",
        ",'outcome':{'headers':['a: b']}",
        ",'outcome':{'headers':[{'name':'a'}]}",
        ",'outcome':{'payload':{}}",
        ",'outcome':{'dropped_bytes':-1}",
        ",'outcome':{},'retention_millis':0",
        ",'outcome':{},'lease_millis':30000",
      })
  void refusesACompletionWithAMemberThatIsNotAccepted(String members) throws Exception {
    String body = "{'scope':'s','key':'k','fence':1" + members + "}";

    assertRefused("/claims/complete", body);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",'fence':0", ",'fence':'1'", ",'fence':1,'lease_millis':50"})
  void refusesARenewalWithAMemberThatIsNotAccepted(String members) throws Exception {
    assertRefused("/claims/renew", "{'scope':'s','key':'k'" + members + "}");
  }

  private void assertRefused(String path, String quoted) throws Exception {
    String body = quoted.replace('\'', '"');

    Worker.Reply reply = worker.post(path, body, Map.of());

    assertThat(reply.code()).as(body).isEqualTo("claims.member_refused");
    assertThat(Description.accepts(path, Description.MAPPER.readTree(body))).as(body).isFalse();
  }

  /** JSON Schema has no words for these. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'payload':'%'}",
        "{'payload':'YQ==','dropped_bytes':1}",
        "{'headers':[{'name':'a:','value':'b'}]}",
        "{'headers':[{'name':'a','value':'b\\nc'}]}",
      })
  void refusesAnOutcomeThatNoStoreCouldKeep(String outcome) throws Exception {
    String body = "{'scope':'s','key':'k','fence':1,'outcome':" + outcome + "}";

    assertThat(worker.post("/claims/complete", body.replace('\'', '"'), Map.of()).code())
        .isEqualTo("claims.member_refused");
  }

  @Test
  void refusesRequestAndFingerprintTogether() throws Exception {
    Worker.Reply reply =
        worker.claim(Worker.claimOn("k").put("request", 1).put("fingerprint", "sha256:YQ"));

    assertThat(reply.code()).isEqualTo("claims.member_refused");
  }

  @Test
  void refusesATokenThatIsTooShortToBeRandom() throws Exception {
    Worker.Reply reply =
        worker.post("/claims", "{\"scope\":\"s\",\"key\":\"k\",\"token\":\"worker-1\"}", Map.of());

    assertThat(reply.json().get("detail").stringValue())
        .isEqualTo("token must have 16 to 128 characters, got 8");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "1",
        "{",
        "{} {}",
        "{\"key\":\"a\",\"key\":\"b\"}",
        "{\"key\":\"a\",\"\\u006bey\":\"b\"}",
        "{\"key\":\"\\ud800\"}",
        "{\"request\":{\"a\":1,\"a\":2}}",
      })
  void refusesABodyWithoutASingleMeaning(String body) throws Exception {
    Worker.Reply reply = worker.post("/claims", body, Map.of());

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.code()).isEqualTo("request.body_refused");
  }

  @Test
  void refusesABodyThatIsNotDeclaredAsJson() throws Exception {
    Worker.Reply reply =
        worker.post(
            "/claims", Worker.claimOn("k").toString(), Map.of("Content-Type", "text/plain"));

    assertThat(reply.status()).isEqualTo(415);
    assertThat(reply.code()).isEqualTo("claims.media_type_refused");
  }

  @Test
  void acceptsJsonWithACharset() throws Exception {
    Map<String, String> type = Map.of("Content-Type", "Application/JSON; charset=utf-8");

    assertThat(worker.post("/claims", Worker.claimOn("k").toString(), type).result())
        .isEqualTo("granted");
  }

  @Test
  void refusesAPayloadThatIsTooLargeAndSaysWhatToSend() throws Exception {
    long fence = worker.claim("k").fence();
    String tooLarge = Base64.getEncoder().encodeToString(new byte[MAX_PAYLOAD_BYTES + 1]);

    Worker.Reply reply = worker.complete("k", fence, "{\"payload\":\"" + tooLarge + "\"}");

    assertThat(reply.status()).isEqualTo(413);
    assertThat(reply.code()).isEqualTo("request.body_too_large");
    assertThat(reply.json().get("detail").stringValue()).contains("dropped_bytes");
    assertThat(worker.complete("k", fence, "{\"dropped_bytes\":1001}").status()).isEqualTo(204);
  }

  @Test
  void keepsAPayloadOfTheGreatestSizeWithTheLongestHeaders() throws Exception {
    long fence = worker.claim("k").fence();
    String payload = Base64.getEncoder().encodeToString(new byte[MAX_PAYLOAD_BYTES]);
    String value = "\\u0001".repeat(16 * 1024 - 1);

    Worker.Reply reply =
        worker.post(
            "/claims/complete",
            """
            {"scope":"invoices","key":"k","fence":%d,
             "outcome":{"payload":"%s","headers":[{"name":"a","value":"%s"}]}}
            """
                .formatted(fence, payload, value),
            Map.of());

    assertThat(reply.status()).isEqualTo(204);
  }

  @Test
  void readsNothingOfABodyThatIsAnnouncedAsTooLarge() throws Exception {
    String head =
        """
        POST /once/v1/claims HTTP/1.1
        Host: localhost
        Authorization: Bearer acme-1
        Content-Type: application/json
        Content-Length: 1000000

        """
            .replace("\n", "\r\n");

    try (Socket socket = new Socket(server.uri().getHost(), server.uri().getPort())) {
      socket.getOutputStream().write(head.getBytes(US_ASCII));

      String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 413").contains("\"request.body_too_large\"");
    }
  }

  @Test
  void readsNoMoreThanItMayOfABodyOfUnknownLength() throws Exception {
    byte[] tooLarge = new byte[MAX_BODY_BYTES + 1];

    Worker.Reply reply =
        worker.send(
            "/claims",
            BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(tooLarge)),
            Map.of());

    assertThat(reply.status()).isEqualTo(413);
    assertThat(reply.code()).isEqualTo("request.body_too_large");
  }

  @Test
  void refusesARequestWithoutACallerBeforeItReadsTheBody() throws Exception {
    Worker.Reply reply = new Worker(server, "nobody").post("/claims", "not JSON", Map.of());

    assertThat(reply.status()).isEqualTo(401);
    assertThat(reply.code()).isEqualTo("auth.required");
  }

  @Test
  void refusesOtherMethods() throws Exception {
    HttpResponse<byte[]> get = send("GET", "/claims");
    HttpResponse<byte[]> delete = send("DELETE", "/openapi.json");

    assertThat(get.statusCode()).isEqualTo(405);
    assertThat(get.headers().firstValue("Allow")).contains("POST");
    assertThat(code(get)).isEqualTo("claims.method_refused");
    assertThat(delete.headers().firstValue("Allow")).contains("GET, HEAD");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "/claim", "/claims/", "/claims/complete/1"})
  void servesNothingElse(String path) throws Exception {
    HttpResponse<byte[]> answer = send("POST", path);

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(code(answer)).isEqualTo("claims.path_unknown");
  }

  private HttpResponse<byte[]> send(String method, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.uri() + path))
            .method(method, BodyPublishers.noBody())
            .build();
    return Worker.HTTP.send(request, BodyHandlers.ofByteArray());
  }

  private static String code(HttpResponse<byte[]> answer) {
    JsonNode problem = Description.MAPPER.readTree(answer.body());
    assertThat(Description.schema("/components/schemas/Problem").validate(problem)).isEmpty();
    return problem.get("code").stringValue();
  }
}
