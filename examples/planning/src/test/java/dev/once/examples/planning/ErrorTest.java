package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.embedded.EmbeddedPostgres;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every failure is answered with a problem. */
class ErrorTest {
  /** Disables the log of the failures that these tests provoke. */
  private static final Map<String, String> QUIET =
      Map.of(
          "logging.level.dev.once.examples.planning.Problems", "off",
          "logging.level.dev.once.spring.JobLog", "off",
          "logging.level.org.apache.catalina", "off",
          "logging.level.com.zaxxer.hikari", "off");

  private final Api api = PlanningServer.shared().planner();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/projects/7",
        "/v1/projects/6f0ac1f2-2b5c-4d5e-9c11-000000000000",
        "/v1/nothing",
        "/nothing"
      })
  void doesNotFindWhatIsNotThere(String path) {
    api.get(path).expectProblem(404, "planning.not_found");
  }

  @Test
  void doesNotKnowEveryMethod() {
    Reply refused = api.send("PUT", "/v1/projects", "{}");

    refused.expectProblem(405, "planning.method_not_allowed");
    assertThat(refused.header("Allow")).contains("GET", "POST");
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/xml", "application/x-www-form-urlencoded"})
  void takesJsonAlone(String type) {
    Reply refused = api.post("/v1/projects", "{\"name\":\"a\"}", "Content-Type", type);

    refused.expectProblem(415, "planning.unsupported_media_type");
  }

  @Test
  void givesJsonAlone() {
    api.get("/v1/projects", "Accept", "text/html").expectProblem(406, "planning.not_acceptable");
  }

  @Test
  void refusesABodyOfMoreThanAMegabyte() {
    Reply refused = api.post("/v1/projects", "{\"name\":\"" + "a".repeat(1 << 20) + "\"}");

    refused.expectProblem(413, "request.body_too_large");
  }

  @Test
  void refusesAPathThatMayMeanTwoThings() {
    api.get("/v1/projects;a=b").expectProblem(400, "planning.bad_request");
  }

  @Test
  void takesAWriteBackAndKeepsItsReasonsToItself() {
    var database = EmbeddedPostgres.shared().newDatabase("planning_broken");
    try (PlanningServer server = PlanningServer.start(database, QUIET)) {
      Api planner = server.planner();
      server.database().sql("DROP TABLE audit_event").update();

      Reply failed = planner.post("/v1/projects", "{\"name\":\"Harbour\"}");

      failed.expectProblem(500, "planning.internal_server_error");
      assertThat(failed.body()).doesNotContain("audit_event", "INSERT", "Exception");
      assertThat(planner.get("/v1/projects").json().path("items")).isEmpty();
    }
  }

  @Test
  void asksForPatienceWhileTheDatabaseIsAway() {
    Map<String, String> settings = new HashMap<>(QUIET);
    settings.put("spring.datasource.hikari.connection-timeout", "500");
    try (EmbeddedPostgres postgres = EmbeddedPostgres.builder().start();
        PlanningServer server = PlanningServer.start(postgres.newDatabase("planning"), settings)) {
      Api planner = server.planner();
      postgres.kill();

      Reply unavailable = planner.get("/v1/projects");

      unavailable.expectProblem(503, "planning.service_unavailable");
      assertThat(unavailable.header("Retry-After")).isEqualTo("1");
    }
  }

  @Test
  void asksForPatienceWhenARowIsLockedForTooLong() throws Exception {
    var database = EmbeddedPostgres.shared().newDatabase("planning_held");
    Map<String, String> settings = new HashMap<>(QUIET);
    settings.put(
        "spring.datasource.hikari.data-source-properties.options", "-c lock_timeout=100ms");
    try (PlanningServer server = PlanningServer.start(database, settings)) {
      Api planner = server.planner();
      Reply project = planner.newProject();

      Reply unavailable;
      HeldRow held = HeldRow.of(server, "project", project);
      try (held) {
        unavailable = planner.transition(project, "archive");
      }

      unavailable.expectProblem(503, "planning.service_unavailable");
      assertThat(unavailable.header("Retry-After")).isEqualTo("1");
      planner.transition(project, "archive").expect(200);
    }
  }
}
