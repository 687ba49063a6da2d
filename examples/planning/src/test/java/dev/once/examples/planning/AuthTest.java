package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests are authorized before anything else of them is processed. */
class AuthTest {
  private static final PlanningServer SERVER = PlanningServer.shared();
  private static final String TENANT = "tenant-" + UUID.randomUUID();
  private static final Api PLANNER = SERVER.caller(TENANT, Role.PLANNER);
  private static final Api VIEWER = SERVER.caller(TENANT, Role.VIEWER);
  private static final Api OPERATOR = SERVER.caller(TENANT, Role.OPERATOR);
  private static final Api STRANGER = SERVER.stranger();
  private static final String BODY = "{\"name\":\"Harbour\"}";

  @ParameterizedTest
  @CsvSource({
    "planner, GET, /v1/projects, 200",
    "planner, POST, /v1/projects, 201",
    "planner, GET, /actuator/metrics, 403",
    "planner, GET, /actuator/prometheus, 403",
    "planner, GET, /actuator/once?tenant=t&scope=s&key=k, 403",
    "planner, POST, /actuator/once, 403",
    "viewer, GET, /v1/projects, 200",
    "viewer, HEAD, /v1/projects, 200",
    "viewer, POST, /v1/projects, 403",
    "viewer, PATCH, /v1/projects/6f0ac1f2-2b5c-4d5e-9c11-000000000000, 403",
    "viewer, DELETE, /v1/missions/6f0ac1f2-2b5c-4d5e-9c11-000000000000, 403",
    "viewer, GET, /actuator/metrics, 403",
    "operator, GET, /actuator/metrics, 200",
    "operator, GET, /actuator/prometheus, 200",
    "operator, GET, /actuator/once?tenant=t&scope=s&key=k, 404",
    "operator, GET, /v1/projects, 403",
    "operator, POST, /v1/projects, 403",
    "stranger, GET, /v1/projects, 401",
    "stranger, POST, /v1/projects, 401",
    "stranger, GET, /v1/nothing, 401",
    "stranger, GET, /nothing, 401",
    "stranger, GET, /actuator, 401",
    "stranger, GET, /actuator/metrics, 401",
    "stranger, GET, /actuator/prometheus, 401",
    "stranger, GET, /actuator/once?tenant=t&scope=s&key=k, 401",
    "stranger, GET, /error, 401",
    "stranger, GET, /actuator/health, 200",
    "stranger, GET, /v3/api-docs, 200",
    "stranger, GET, /swagger-ui.html, 302",
    "stranger, GET, /swagger-ui/index.html, 200",
    "stranger, GET, /once/, 200",
    "stranger, GET, /once/api/me, 401",
    "viewer, GET, /once/api/me, 403",
    "operator, GET, /once/api/me, 200",
    "operator, GET, /once/api/records, 200"
  })
  void givesEveryRoleItsPart(String role, String method, String path, int status) {
    String body = method.equals("GET") || method.equals("HEAD") ? null : BODY;

    Reply reply = api(role).send(method, path, body).expect(status);

    if (status == 401) {
      reply.expectProblem(401, "auth.required");
      assertThat(reply.header("WWW-Authenticate")).isEqualTo("Bearer");
    } else if (status == 403) {
      reply.expectProblem(403, "auth.forbidden");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Bearer unknown", "Bearer", "Bearer a b", "Basic YTpi", "unknown"})
  void refusesWhatIsNoValidToken(String authorization) {
    Reply refused = STRANGER.get("/v1/projects", "Authorization", authorization);

    refused.expectProblem(401, "auth.required");
  }

  @Test
  void saysThatATokenWasRefused() {
    Reply refused = STRANGER.get("/v1/projects", "Authorization", "Bearer unknown");

    assertThat(refused.header("WWW-Authenticate")).isEqualTo("Bearer error=\"invalid_token\"");
  }

  @Test
  void doesNotTakeATokenFromTheQuery() {
    STRANGER
        .get("/v1/projects?access_token=" + PLANNER.token())
        .expectProblem(401, "auth.required");
  }

  @Test
  void keepsOnlyTheHashOfAToken() {
    String token = String.valueOf(PLANNER.token());

    String row =
        SERVER
            .database()
            .sql("SELECT string_agg(t::text, ' ') FROM api_token t WHERE tenant = :tenant")
            .param("tenant", TENANT)
            .query((columns, number) -> columns.getString(1))
            .single();

    assertThat(row).contains("planner-of-" + TENANT).doesNotContain(token);
  }

  private static Api api(String role) {
    return switch (role) {
      case "planner" -> PLANNER;
      case "viewer" -> VIEWER;
      case "operator" -> OPERATOR;
      default -> STRANGER;
    };
  }
}
