package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Every successful write is in the audit trail once, with the revisions before and after. */
class AuditTest {
  private final PlanningServer server = PlanningServer.shared();
  private final Api api = server.planner();

  @Test
  void tellsTheLifeOfAMissionFromItsEndOn() {
    Reply mission = api.newMission(api.newProject(), 8, 12);
    api.transition(mission, "archive").expect(200);
    api.transition(mission, "unarchive").expect(200);
    api.change("PATCH", mission, "{\"title\":\"Census\"}").expect(200);
    api.change("DELETE", mission, null).expect(204);

    assertThat(trailOf("mission:" + mission.id()))
        .containsExactly(
            "mission.delete 4>null",
            "mission.patch 3>4",
            "mission.unarchive 2>3",
            "mission.archive 1>2",
            "mission.create null>1");
  }

  @Test
  void recordsActorActionAndRequest() {
    Reply project = api.newProject();
    api.send(
            "PATCH",
            project.location(),
            "{\"name\":\"Dock\"}",
            "If-Match",
            "\"1\"",
            "X-Request-ID",
            "request-7",
            "X-Correlation-ID",
            "flow-3")
        .expect(200);

    JsonNode event = api.get("/v1/audit?resource=" + project.id()).json().at("/items/0");

    assertThat(event.path("actor").asString()).isEqualTo("planner-of-" + api.tenant());
    assertThat(event.path("endpoint").asString()).isEqualTo("PATCH /v1/projects/{id}");
    assertThat(event.path("resource_type").asString()).isEqualTo("project");
    assertThat(event.path("resource_id").asString()).isEqualTo(project.id());
    assertThat(event.path("request_id").asString()).isEqualTo("request-7");
    assertThat(event.path("correlation_id").asString()).isEqualTo("flow-3");
    assertThat(event.path("payload_hash").asString()).matches("[0-9a-f]{64}");
  }

  @Test
  void hashesWhatABodyMeansAndNotHowItIsWritten() {
    Reply project = api.newProject();
    String same =
        """
        { "ends_at": "2026-11-01T13:00:00+01:00", "title": "S\\u0075rvey",
          "starts_at": "2026-11-01T07:00:00.000Z" }
        """;
    Reply first = api.post(project.location() + "/missions", MissionTest.BODY).expect(201);
    Reply second = api.post(project.location() + "/missions", same).expect(201);
    Reply other = api.newMission(project, 9, 12);

    assertThat(hashOf(second)).isEqualTo(hashOf(first)).isNotEqualTo(hashOf(other));
  }

  @Test
  void saysNothingAboutWhatDidNotHappen() {
    Reply project = api.newProject();
    api.post(project.location() + "/archive", null).expect(428);
    api.transition(project, "unarchive").expect(409);
    api.change("PATCH", project, "{}").expect(400);
    api.get(project.location()).expect(200);

    assertThat(trailOf(project.id())).containsExactly("project.create null>1");
  }

  @Test
  void isReadInParts() {
    Reply project = api.newProject();
    api.transition(project, "archive").expect(200);
    api.transition(project, "unarchive").expect(200);
    String path = "/v1/audit?limit=2&resource=" + project.id();

    JsonNode newest = api.get(path).expect(200).json();
    JsonNode oldest = api.get(path + "&cursor=" + newest.path("next").asString()).json();

    assertThat(newest.path("items")).hasSize(2);
    assertThat(oldest.path("items")).hasSize(1);
    assertThat(oldest.at("/items/0/action").asString()).isEqualTo("project.create");
    assertThat(oldest.get("next").isNull()).isTrue();
  }

  @Test
  void findsNothingUnderAnotherType() {
    Reply project = api.newProject();

    assertThat(trailOf("mission:" + project.id())).isEmpty();
    assertThat(trailOf("project:" + project.id())).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/audit", "/v1/audit?resource=", "/v1/audit?resource=mission:7"})
  void wantsToKnowWhoseTrail(String path) {
    Reply refused = api.get(path);

    refused.expectProblem(400, "planning.validation_failed");
    assertThat(refused.json().at("/errors/0/field").asString()).isEqualTo("resource");
  }

  private List<String> trailOf(String resource) {
    List<String> trail = new ArrayList<>();
    for (JsonNode event :
        api.get("/v1/audit?resource=" + resource).expect(200).json().path("items")) {
      trail.add(
          event.path("action").asString()
              + " "
              + event.path("prior_revision").asString("null")
              + ">"
              + event.path("new_revision").asString("null"));
    }
    return trail;
  }

  private String hashOf(Reply created) {
    JsonNode trail = api.get("/v1/audit?resource=" + created.id()).expect(200).json();
    return trail.at("/items/0/payload_hash").asString();
  }
}
