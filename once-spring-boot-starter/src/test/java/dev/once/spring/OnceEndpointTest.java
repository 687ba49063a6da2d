package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Key;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.http.ResponseEntity;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an operator can see and change of a key. */
@OnEachServer
class OnceEndpointTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String PAYMENTS = "api:/payments/{id}";
  private static final String ORDERS = "api:/orders/{id}";

  @Parameter Class<?> server = Servers.OnTomcat.class;

  @SuppressWarnings("NullAway.Init")
  private OpsApp app;

  @BeforeParameterizedClassInvocation
  void use() {
    app = OpsApp.shared(server);
  }

  @AfterEach
  void answerAsUsual() {
    app.handlers().answer = () -> OpsApi.CREATED;
  }

  @Test
  void showsARecordWithoutItsKeyAndItsPayload() {
    app.handlers().answer =
        () -> ResponseEntity.status(201).header("ETag", "\"secret\"").body("secret");
    app.post("/orders/1", "acme", "secret-find", "{}");

    HttpResponse<String> found = find("acme", ORDERS, "secret-find");

    assertThat(found.statusCode()).isEqualTo(200);
    JsonNode record = JSON.readTree(found.body());
    assertThat(record.at("/state").asString()).isEqualTo("completed");
    assertThat(record.at("/attempts").asInt()).isEqualTo(1);
    assertThat(record.at("/recovery").asString()).isEqualTo("rerun");
    assertThat(record.at("/fence").asLong()).isPositive();
    assertThat(record.at("/outcome/status").asInt()).isEqualTo(201);
    assertThat(record.at("/outcome/payload_bytes").asInt()).isEqualTo(6);
    assertThat(record.at("/outcome/headers").toString()).contains("ETag");
    assertThat(record.at("/key_hash").asString()).isEqualTo(hash("secret-find"));
    assertThat(found.body()).contains("created_at", "lease_until", "expires_at");
    assertThat(found.body()).doesNotContain("secret");
  }

  @Test
  void hasNothingToShowOfAnAbsentKey() {
    assertThat(find("acme", ORDERS, "absent").statusCode()).isEqualTo(404);
    assertThat(find("acme", ORDERS, "").statusCode()).isEqualTo(400);
    assertThat(app.get("/actuator/once?tenant=acme").statusCode()).isEqualTo(400);
  }

  @Test
  void releasesAKeyWhoseOwnerVanished() {
    hold("stuck");
    assertThat(app.post("/payments/1", "acme", "stuck", "{}").statusCode()).isEqualTo(409);

    HttpResponse<String> released = change("release", PAYMENTS, "stuck", "the node died");

    assertThat(released.body()).contains("\"changed\":true");
    assertThat(app.post("/payments/1", "acme", "stuck", "{}").statusCode()).isEqualTo(201);
  }

  @Test
  void expiresARecordSoThatTheNextRequestIsNew() {
    app.post("/payments/1", "acme", "forget", "{}");

    assertThat(change("expire", PAYMENTS, "forget", "wrong amount").body())
        .contains("\"changed\":true");

    assertThat(app.post("/payments/1", "acme", "forget", "{\"other\":1}").statusCode())
        .isEqualTo(201);
  }

  @Test
  void leavesARecordAloneThatIsDone() {
    app.post("/payments/1", "acme", "done", "{}");

    assertThat(change("release", PAYMENTS, "done", "why not").body()).contains("\"changed\":false");

    assertThat(app.state("done")).isEqualTo("completed");
  }

  // A25
  @Test
  void recordsOperatorActionAndReason() {
    hold("audited");
    try (LogLines log = LogLines.of(OperatorAudit.class)) {
      change("release", PAYMENTS, "audited", "the node died");

      assertThat(log.lines())
          .containsExactly(
              "INFO audit.operator operator=olga action=release tenant=acme"
                  + " scope=api:/payments/{id} key_hash=%s reason=\"the node died\""
                      .formatted(hash("audited"))
                  + " changed=true");
    }
    AuditEvent event =
        app.bean(OpsApi.Audits.class).events.stream()
            .filter(it -> hash("audited").equals(it.getData().get("key_hash")))
            .findFirst()
            .orElseThrow();
    assertThat(event.getPrincipal()).isEqualTo("olga");
    assertThat(event.getType()).isEqualTo("once.release");
    assertThat(event.getData())
        .containsAllEntriesOf(
            Map.of("tenant", "acme", "scope", PAYMENTS, "reason", "the node died"));
  }

  @Test
  void refusesAChangeWithoutAReason() {
    hold("reasons");

    assertThat(change("release", PAYMENTS, "reasons", " ").statusCode()).isEqualTo(400);
    assertThat(change("release", PAYMENTS, "reasons", "x".repeat(501)).statusCode()).isEqualTo(400);
    assertThat(change("delete", PAYMENTS, "reasons", "why").statusCode()).isEqualTo(400);
    assertThat(app.state("reasons")).isEqualTo("in_progress");
  }

  @Test
  void isNotThereUnlessTheApplicationExposesIt() {
    try (OpsApp closed = OpsApp.startOn(server)) {
      assertThat(closed.get("/actuator/once?tenant=a&scope=b&key=c").statusCode()).isEqualTo(404);
    }
  }

  /** Leaves a record as an owner that crashes during its effect does. */
  private void hold(String key) {
    app.post("/payments/1", "acme", key, "{}");
    app.sql()
        .update(
            """
            UPDATE once_record SET state = 'in_progress', lease_until = now() + interval '1 h'
            WHERE key = ?
            """,
            key);
  }

  private HttpResponse<String> find(String tenant, String scope, String key) {
    return app.get(
        "/actuator/once?tenant=%s&scope=%s&key=%s"
            .formatted(tenant, URLEncoder.encode(scope, StandardCharsets.UTF_8), key));
  }

  private HttpResponse<String> change(String action, String scope, String key, String reason) {
    String body =
        JSON.writeValueAsString(
            Map.of(
                "action", action, "tenant", "acme", "scope", scope, "key", key, "reason", reason));
    return OpsApp.send(app.posted("/actuator/once", "acme", "olga", "unused", body).build());
  }

  private static String hash(String key) {
    return new Key("t", "s", key).shortHash();
  }
}
