package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No collaborator is locked into two missions at the same time. */
class MissionLockTest {
  private final Api api = PlanningServer.shared().planner();
  private final Reply project = api.newProject();
  private final Reply ada = api.newCollaborator(project);

  @Test
  void namesTheMissionsThatOverlap() {
    Reply mission = missionOfAda(8, 12);
    Reply other = missionOfAda(11, 13);

    Reply refused = api.transition(mission, "lock");

    refused.expectProblem(409, "planning.assignment_overlap");
    assertThat(refused.json().at("/mission_ids/0").asString()).isEqualTo(other.id());
    assertThat(refused.json().path("mission_ids")).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"12, 14", "6, 8"})
  void allowsAMissionRightBeforeOrAfter(int fromHour, int toHour) {
    Reply mission = missionOfAda(8, 12);
    missionOfAda(fromHour, toHour);

    api.transition(mission, "lock").expect(200);
  }

  @Test
  void doesNotMindAnArchivedMission() {
    Reply mission = missionOfAda(8, 12);
    api.transition(missionOfAda(9, 10), "archive").expect(200);

    api.transition(mission, "lock").expect(200);
  }

  @Test
  void doesNotMindWhatOthersDoAtTheSameTime() {
    Reply mission = missionOfAda(8, 12);
    api.assign(api.newMission(project, 8, 12), api.newCollaborator(project)).expect(201);

    api.transition(mission, "lock").expect(200);
  }

  @Test
  void confirmsTheCollaborators() {
    Reply mission = missionOfAda(8, 12);
    api.transition(mission, "lock").expect(200);

    Reply refused = api.assign(mission, api.newCollaborator(project));

    refused.expectProblem(409, "planning.mission_locked");
  }

  private Reply missionOfAda(int fromHour, int toHour) {
    Reply mission = api.newMission(project, fromHour, toHour);
    api.assign(mission, ada).expect(201);
    return mission;
  }
}
