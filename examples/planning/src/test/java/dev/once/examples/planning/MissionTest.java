package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MissionTest {
  static final String BODY =
      """
      {"title":"Survey","starts_at":"2026-11-01T08:00:00+01:00","ends_at":"2026-11-01T12:00:00Z"}
      """;

  private final Api api = PlanningServer.shared().planner();
  private final Reply project = api.newProject();

  @Test
  void isCreatedAndFoundWhereTheAnswerSays() {
    Reply created = api.post(project.location() + "/missions", BODY).expect(201);

    assertThat(created.location()).isEqualTo("/v1/missions/" + created.id());
    assertThat(created.header("ETag")).isEqualTo("\"1\"");
    assertThat(created.body())
        .isEqualTo(
            """
            {"id":"%s","project_id":"%s","title":"Survey","starts_at":"2026-11-01T07:00:00Z",\
            "ends_at":"2026-11-01T12:00:00Z","state":"planned","version":1}"""
                .formatted(created.id(), project.id()));
    assertThat(api.get(created.location()).expect(200).body()).isEqualTo(created.body());
  }

  @Test
  void keepsWhatAPatchDoesNotMention() {
    Reply mission = api.newMission(project, 8, 12);

    Reply patched =
        api.change("PATCH", mission, "{\"ends_at\":\"2026-11-01T10:00:00Z\"}").expect(200);

    assertThat(patched.text("title")).isEqualTo("Survey");
    assertThat(patched.text("starts_at")).isEqualTo("2026-11-01T08:00:00Z");
    assertThat(patched.text("ends_at")).isEqualTo("2026-11-01T10:00:00Z");
    assertThat(patched.header("ETag")).isEqualTo("\"2\"");
  }

  @Test
  void keepsItsTimesInOrderWhenOneOfThemChanges() {
    Reply mission = api.newMission(project, 8, 12);

    Reply refused = api.change("PATCH", mission, "{\"ends_at\":\"2026-11-01T08:00:00Z\"}");

    refused.expectProblem(400, "planning.validation_failed");
    assertThat(refused.json().at("/errors/0/field").asString()).isEqualTo("ends_at");
  }

  @Test
  void isGoneOnceItIsDeleted() {
    Reply mission = api.newMission(project, 8, 12);

    Reply deleted = api.change("DELETE", mission, null).expect(204);

    assertThat(deleted.body()).isEmpty();
    api.get(mission.location()).expectProblem(404, "planning.not_found");
  }

  @Test
  void isNotDeletedWhileACollaboratorIsAssigned() {
    Reply mission = api.newMission(project, 8, 12);
    api.assign(mission, api.newCollaborator(project)).expect(201);

    api.change("DELETE", mission, null).expectProblem(409, "planning.mission_assigned");
  }

  @ParameterizedTest
  @CsvSource({
    "lock, '', locked",
    "archive, '', archived",
    "archive, lock, archived",
    "unarchive, archive, planned",
    "unarchive, lock archive, planned"
  })
  void goesFromStateToState(String verb, String before, String state) {
    Reply mission = missionAfter(before);

    assertThat(api.transition(mission, verb).expect(200).text("state")).isEqualTo(state);
  }

  @ParameterizedTest
  @CsvSource({
    "lock, lock",
    "lock, archive",
    "archive, archive",
    "unarchive, ''",
    "unarchive, lock"
  })
  void refusesATransitionFromTheWrongState(String verb, String before) {
    Reply mission = missionAfter(before);
    String tag = api.tag(mission);

    api.transition(mission, verb).expectProblem(409, "planning.transition_refused");

    assertThat(api.tag(mission)).isEqualTo(tag);
  }

  @Test
  void keepsItsTimesAndExistenceWhileItIsLocked() {
    Reply mission = missionAfter("lock");

    api.change("PATCH", mission, "{\"ends_at\":\"2026-11-01T13:00:00Z\"}")
        .expectProblem(409, "planning.mission_locked");
    api.change("DELETE", mission, null).expectProblem(409, "planning.mission_locked");
    api.change("PATCH", mission, "{\"title\":\"Census\"}").expect(200);
  }

  @Test
  void refusesEveryChangeButUnarchivingWhileItIsArchived() {
    Reply mission = missionAfter("archive");

    api.change("PATCH", mission, "{\"title\":\"Census\"}")
        .expectProblem(409, "planning.mission_archived");
    api.change("DELETE", mission, null).expectProblem(409, "planning.mission_archived");
    api.assign(mission, api.newCollaborator(project))
        .expectProblem(409, "planning.mission_archived");
    api.transition(mission, "unarchive").expect(200);
  }

  private Reply missionAfter(String verbs) {
    Reply mission = api.newMission(project, 8, 12);
    for (String verb : verbs.isEmpty() ? new String[0] : verbs.split(" ", -1)) {
      api.transition(mission, verb).expect(200);
    }
    return mission;
  }
}
