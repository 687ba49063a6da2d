package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Key;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The log leads from a replay to the audit event of the write, and discloses no key. */
class ReplayLogTest {
  private static final String BODY = "{\"name\":\"Dock\"}";

  private final PlanningServer server = PlanningServer.shared();
  private final Api api = server.planner();
  private final String key = Api.randomId();
  private final LogLines log = LogLines.of("dev.once.spring");

  @AfterEach
  void close() {
    log.close();
  }

  @Test
  void namesTheAuditEventOfTheWriteThatIsReplayed() {
    Reply first = create("r-1", "c-1");
    create("r-2", "c-2");

    String hash = new Key(api.tenant(), "api:/v1/projects", key).shortHash();
    assertThat(log.with("audit.replay"))
        .containsExactly(
            "tenant=%1$s actor=planner-of-%1$s key_hash=%2$s endpoint=\"POST /v1/projects\" status=201 audit_id=%3$s request_id=r-1 correlation_id=c-1"
                .formatted(api.tenant(), hash, first.header("X-Audit-ID")));
    assertThat(server.count("audit_event", api)).isEqualTo(1);
  }

  @Test
  void tellsHitsAndMissesApart() {
    create("r-1", "c-1");
    create("r-2", "c-2");

    assertThat(log.with("idempotency.miss")).singleElement().asString().contains("replayed=false");
    assertThat(log.with("idempotency_cache_hit"))
        .singleElement()
        .asString()
        .contains("replayed=true", "status=201", "request_id=r-2", "tenant=" + api.tenant());
  }

  @Test
  void tellsOfConcurrentRequests() throws Exception {
    Reply project = api.newProject();
    String path = project.location() + "/missions";
    try (ConcurrentCalls calls = new ConcurrentCalls()) {
      Future<Reply> first;
      try (HeldRow held = HeldRow.of(server, "project", project)) {
        first = calls.start(() -> api.post(path, MissionTest.BODY, Api.KEY, key));
        held.awaitWaiting(1);
        api.post(path, MissionTest.BODY, Api.KEY, key).expect(409);
      }
      ConcurrentCalls.answerOf(first).expect(201);
    }

    assertThat(log.with("idempotency_concurrent_request"))
        .singleElement()
        .asString()
        .contains("409");
  }

  @Test
  void showsNeitherKeysNorPayloadsNorTokens() {
    create("r-1", "c-1");
    create("r-2", "c-2");
    api.post("/v1/projects", "{\"name\":\"Pier\"}", Api.KEY, key).expect(409);

    assertThat(log.text())
        .contains("idempotency.conflict")
        .doesNotContain(key, "Dock", "Pier", String.valueOf(api.token()));
  }

  private Reply create(String requestId, String correlationId) {
    return api.post(
            "/v1/projects",
            BODY,
            Api.KEY,
            key,
            "X-Request-ID",
            requestId,
            "X-Correlation-ID",
            correlationId)
        .expect(201);
  }
}
