package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** No key bypasses a rule: not validation, not revisions, not conflicts. */
class BypassTest {
  private static final String RENAME = "{\"title\":\"Census\"}";

  private final PlanningServer server = PlanningServer.shared();
  private final Api api = server.planner();
  private final Reply project = api.newProject();
  private final Reply mission = api.newMission(project, 8, 12);
  private final String key = Api.randomId();

  @Test
  void aReplayOfAnUpdateNamesTheOldRevisionAndChangesNothing() {
    Reply renamed = rename("\"1\"").expect(200);
    Reply replay = rename("\"1\"").expect(200);

    assertThat(replay.body()).isEqualTo(renamed.body());
    assertThat(replay.header("ETag")).isEqualTo("\"2\"");
    assertThat(replay.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(api.tag(mission)).isEqualTo("\"2\"");
  }

  @Test
  void anUpdateOfTheNewRevisionIsAnotherRequest() {
    rename("\"1\"").expect(200);

    rename("\"2\"").expectProblem(409, "idempotency.payload_mismatch");
    assertThat(api.tag(mission)).isEqualTo("\"2\"");
  }

  @Test
  void aSuccessIsReplayedAfterTheMissionWasLockedAndHasNoSecondEffect() {
    Reply renamed = rename("\"1\"").expect(200);
    api.transition(mission, "lock").expect(200);

    assertThat(rename("\"1\"").expect(200).body()).isEqualTo(renamed.body());
    Reply now = api.get(mission.location());
    assertThat(now.text("state")).isEqualTo("locked");
    assertThat(now.header("ETag")).isEqualTo("\"3\"");
  }

  @Test
  void aCreationIsReplayedAfterTheMissionIsGone() {
    Reply created = create(MissionTest.BODY).expect(201);
    api.change("DELETE", created, null).expect(204);

    assertThat(create(MissionTest.BODY).expect(201).body()).isEqualTo(created.body());
    api.get(created.location()).expect(404);
  }

  @Test
  void aRefusalDoesNotTurnIntoASuccess() {
    Reply locked = api.transition(mission, "lock").expect(200);
    Reply ada = api.newCollaborator(project);
    assign(ada).expectProblem(409, "planning.mission_locked");
    server
        .database()
        .sql("UPDATE mission SET state = 'planned' WHERE id = CAST(:id AS uuid)")
        .param("id", locked.id())
        .update();

    Reply again = assign(ada);

    again.expectProblem(409, "planning.mission_locked");
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    api.assign(mission, ada).expect(201);
  }

  @Test
  void aRefusalIsNotCircumventedWithAnotherBody() {
    create("{\"title\":\"\"}").expectProblem(400, "planning.validation_failed");

    create(MissionTest.BODY).expectProblem(409, "idempotency.payload_mismatch");
    assertThat(server.count("mission", api)).isEqualTo(1);
  }

  @Test
  void aSuccessGivesNoCreditToAnotherBody() {
    create(MissionTest.BODY).expect(201);

    create("{\"title\":\"\"}").expectProblem(409, "idempotency.payload_mismatch");
  }

  @Test
  void aKeyOfOneResourceDoesNotServeForAnother() {
    Reply other = api.newMission(project, 13, 14);
    rename("\"1\"").expect(200);

    Reply misused = api.send("PATCH", other.location(), RENAME, Api.KEY, key, "If-Match", "\"1\"");

    misused.expectProblem(409, "idempotency.payload_mismatch");
    assertThat(api.tag(other)).isEqualTo("\"1\"");
  }

  @Test
  void aNewKeyHasToStateTheCurrentRevision() {
    rename("\"1\"").expect(200);

    api.send("PATCH", mission.location(), RENAME, "If-Match", "\"1\"")
        .expectProblem(409, "concurrency.version_mismatch");
  }

  @Test
  void aReplayedDeletionDeletesNothingElse() {
    api.send("DELETE", mission.location(), null, Api.KEY, key, "If-Match", "\"1\"").expect(204);

    Reply replay =
        api.send("DELETE", mission.location(), null, Api.KEY, key, "If-Match", "\"1\"").expect(204);

    assertThat(replay.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(replay.body()).isEmpty();
    api.send("DELETE", mission.location(), null, "If-Match", "\"1\"").expect(404);
  }

  private Reply rename(String tag) {
    return api.send("PATCH", mission.location(), RENAME, Api.KEY, key, "If-Match", tag);
  }

  private Reply create(String body) {
    return api.post(project.location() + "/missions", body, Api.KEY, key);
  }

  private Reply assign(Reply collaborator) {
    String body = "{\"collaborator_id\":\"" + collaborator.id() + "\"}";
    return api.post(mission.location() + "/assignments", body, Api.KEY, key);
  }
}
