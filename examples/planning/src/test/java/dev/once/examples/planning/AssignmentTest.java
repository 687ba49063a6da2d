package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AssignmentTest {
  private final Api api = PlanningServer.shared().planner();
  private final Reply project = api.newProject();
  private final Reply mission = api.newMission(project, 8, 12);
  private final Reply ada = api.newCollaborator(project);

  @Test
  void isCreatedAndFoundWhereTheAnswerSays() {
    Reply created = api.assign(mission, ada).expect(201);

    assertThat(created.location()).isEqualTo("/v1/assignments/" + created.id());
    assertThat(created.header("ETag")).isEqualTo("\"1\"");
    assertThat(created.body())
        .isEqualTo(
            "{\"id\":\"%s\",\"mission_id\":\"%s\",\"collaborator_id\":\"%s\",\"version\":1}"
                .formatted(created.id(), mission.id(), ada.id()));
    assertThat(api.get(created.location()).expect(200).body()).isEqualTo(created.body());
  }

  @Test
  void movesToAnotherMission() {
    Reply assignment = api.assign(mission, ada).expect(201);
    Reply target = api.newMission(project, 13, 14);

    Reply moved = api.move(assignment, target).expect(200);

    assertThat(moved.text("mission_id")).isEqualTo(target.id());
    assertThat(moved.header("ETag")).isEqualTo("\"2\"");
    assertThat(api.get(assignment.location()).body()).isEqualTo(moved.body());
  }

  @Test
  void staysInItsProject() {
    Reply assignment = api.assign(mission, ada).expect(201);
    Reply elsewhere = api.newProject();

    Reply moved = api.move(assignment, api.newMission(elsewhere, 8, 12));
    Reply stranger = api.assign(mission, api.newCollaborator(elsewhere));

    moved.expectProblem(400, "planning.validation_failed");
    stranger.expectProblem(400, "planning.validation_failed");
    assertThat(moved.json().at("/errors/0/field").asString()).isEqualTo("mission_id");
    assertThat(stranger.json().at("/errors/0/field").asString()).isEqualTo("collaborator_id");
  }

  @Test
  void neitherLeavesNorEntersALockedMission() {
    Reply assignment = api.assign(mission, ada).expect(201);
    Reply locked = api.newMission(project, 13, 14);
    api.transition(locked, "lock").expect(200);

    api.move(assignment, locked).expectProblem(409, "planning.mission_locked");

    api.transition(mission, "lock").expect(200);
    api.move(assignment, api.newMission(project, 15, 16))
        .expectProblem(409, "planning.mission_locked");
  }

  @Test
  void existsOncePerMissionAndCollaborator() {
    Reply assignment = api.assign(mission, ada).expect(201);

    api.assign(mission, ada).expectProblem(409, "planning.already_assigned");
    api.move(assignment, mission).expectProblem(409, "planning.already_assigned");
  }
}
