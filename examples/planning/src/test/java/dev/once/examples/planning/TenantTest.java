package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** No tenant reads, changes or detects the data of another. */
class TenantTest {
  private static final PlanningServer SERVER = PlanningServer.shared();
  private static final Api OWNER = SERVER.planner();
  private static final Api OTHER = SERVER.planner();
  private static final Reply PROJECT = OWNER.newProject();
  private static final Reply MISSION = OWNER.newMission(PROJECT, 8, 12);
  private static final Reply ADA = OWNER.newCollaborator(PROJECT);
  private static final Reply ASSIGNMENT = OWNER.assign(MISSION, ADA).expect(201);

  @ParameterizedTest
  @MethodSource("requests")
  void answersForAForeignResourceAsForAMissingOne(
      String method, String path, String id, String body) {
    String missingId = Api.randomId();

    Reply foreign = send(method, path.formatted(id), body);
    Reply missing = send(method, path.formatted(missingId), body);

    foreign.expectProblem(404, "planning.not_found");
    assertThat(foreign.body().replace(id, missingId)).isEqualTo(missing.body());
    assertThat(foreign.headers().map().keySet()).isEqualTo(missing.headers().map().keySet());
  }

  @Test
  void listsAndFindsNothingOfAnother() {
    Api newcomer = SERVER.planner();

    for (String path :
        List.of("projects?limit=1", "search?q=a", "audit?resource=" + PROJECT.id())) {
      assertThat(newcomer.get("/v1/" + path).expect(200).json().path("items")).isEmpty();
    }
  }

  @Test
  void refersToNothingOfAnother() {
    Reply project = OTHER.newProject();
    Reply mission = OTHER.newMission(project, 8, 12);
    Reply assignment = OTHER.assign(mission, OTHER.newCollaborator(project)).expect(201);

    Reply assigned = OTHER.assign(mission, ADA);
    Reply moved = OTHER.move(assignment, MISSION);

    assigned.expectProblem(400, "planning.validation_failed");
    moved.expectProblem(400, "planning.validation_failed");
  }

  @Test
  void takesTheTenantFromTheTokenAlone() {
    String[] headers = {"X-Tenant-ID", OWNER.tenant(), "X-Organization-ID", OWNER.tenant()};

    OTHER.get(PROJECT.location(), headers).expectProblem(404, "planning.not_found");
  }

  private static Reply send(String method, String path, String body) {
    return OTHER.send(method, path, body.isEmpty() ? null : body, "If-Match", "\"1\"");
  }

  static Stream<Arguments> requests() {
    Reply organization = OWNER.post("/v1/organizations", "{\"name\":\"Acme\"}").expect(201);
    String name = "{\"name\":\"Mine\"}";
    String title = "{\"title\":\"Mine\"}";
    String assignee = "{\"collaborator_id\":\"" + ADA.id() + "\"}";
    String move = "{\"mission_id\":\"" + MISSION.id() + "\"}";
    return Stream.of(
        Arguments.of("GET", "/v1/organizations/%s", organization.id(), ""),
        Arguments.of("GET", "/v1/projects/%s", PROJECT.id(), ""),
        Arguments.of("PATCH", "/v1/projects/%s", PROJECT.id(), name),
        Arguments.of("POST", "/v1/projects/%s/archive", PROJECT.id(), ""),
        Arguments.of("POST", "/v1/projects/%s/unarchive", PROJECT.id(), ""),
        Arguments.of("POST", "/v1/projects/%s/missions", PROJECT.id(), MissionTest.BODY),
        Arguments.of("GET", "/v1/projects/%s/missions", PROJECT.id(), ""),
        Arguments.of("POST", "/v1/projects/%s/collaborators", PROJECT.id(), CollaboratorTest.BODY),
        Arguments.of("GET", "/v1/projects/%s/dashboard", PROJECT.id(), ""),
        Arguments.of("GET", "/v1/missions/%s", MISSION.id(), ""),
        Arguments.of("PATCH", "/v1/missions/%s", MISSION.id(), title),
        Arguments.of("DELETE", "/v1/missions/%s", MISSION.id(), ""),
        Arguments.of("POST", "/v1/missions/%s/lock", MISSION.id(), ""),
        Arguments.of("POST", "/v1/missions/%s/archive", MISSION.id(), ""),
        Arguments.of("POST", "/v1/missions/%s/unarchive", MISSION.id(), ""),
        Arguments.of("POST", "/v1/missions/%s/assignments", MISSION.id(), assignee),
        Arguments.of("GET", "/v1/collaborators/%s", ADA.id(), ""),
        Arguments.of("GET", "/v1/assignments/%s", ASSIGNMENT.id(), ""),
        Arguments.of("POST", "/v1/assignments/%s/move", ASSIGNMENT.id(), move));
  }
}
