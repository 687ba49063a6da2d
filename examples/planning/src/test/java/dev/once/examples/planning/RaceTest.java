package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Concurrent requests end as if they had come one after the other. */
class RaceTest {
  private final PlanningServer server = PlanningServer.shared();
  private final Api api = server.planner();
  private final Reply project = api.newProject();
  private final Reply ada = api.newCollaborator(project);
  private final ConcurrentCalls calls = new ConcurrentCalls();

  @AfterEach
  void stop() {
    calls.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"project", "mission"})
  void oneOfManyChangesOfARevisionWins(String kind) throws Exception {
    Reply seen = kind.equals("project") ? project : api.newMission(project, 8, 12);
    String body = kind.equals("project") ? "{\"name\":\"Dock\"}" : "{\"title\":\"Census\"}";
    List<Callable<Reply>> requests = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      requests.add(() -> api.send("PATCH", seen.location(), body, "If-Match", seen.header("ETag")));
    }

    List<Reply> replies = calls.run(requests);

    assertThat(replies).filteredOn(it -> it.status() == 200).hasSize(1);
    replies.stream()
        .filter(it -> it.status() != 200)
        .forEach(it -> it.expectProblem(409, "concurrency.version_mismatch"));
    assertThat(api.tag(seen)).isEqualTo("\"2\"");
  }

  @Test
  void aChangeThatIsOvertakenAfterItLookedIsRefused() throws Exception {
    Future<Reply> archive;
    try (HeldRow held = HeldRow.of(server, "project", project)) {
      archive = calls.start(() -> api.transition(project, "archive"));
      held.awaitWaiting(1);
      held.execute("UPDATE project SET version = 2 WHERE id = '" + project.id() + "'");
    }

    Reply refused = ConcurrentCalls.answerOf(archive);
    refused.expectProblem(409, "concurrency.version_mismatch");
    assertThat(refused.text("current_revision")).isEqualTo("\"2\"");
  }

  @Test
  void aLockSeesTheAssignmentItWaitedFor() throws Exception {
    Reply mission = api.newMission(project, 8, 12);
    api.assign(mission, ada).expect(201);
    Reply overlapping = api.newMission(project, 9, 10);

    Future<Reply> assign;
    Future<Reply> lock;
    try (HeldRow held = HeldRow.of(server, "collaborator", ada)) {
      assign = calls.start(() -> api.assign(overlapping, ada));
      held.awaitWaiting(1);
      lock = calls.start(() -> api.transition(mission, "lock"));
      held.awaitWaiting(2);
    }

    ConcurrentCalls.answerOf(assign).expect(201);
    ConcurrentCalls.answerOf(lock).expectProblem(409, "planning.assignment_overlap");
  }

  @Test
  void anAssignmentSeesTheLockItWaitedFor() throws Exception {
    Reply mission = api.newMission(project, 8, 12);

    Future<Reply> lock;
    Future<Reply> assign;
    try (HeldRow held = HeldRow.of(server, "mission", mission)) {
      lock = calls.start(() -> api.transition(mission, "lock"));
      held.awaitWaiting(1);
      assign = calls.start(() -> api.assign(mission, ada));
      held.awaitWaiting(2);
    }

    ConcurrentCalls.answerOf(lock).expect(200);
    ConcurrentCalls.answerOf(assign).expectProblem(409, "planning.mission_locked");
  }

  @RepeatedTest(5)
  void assigningAndLockingNeverConfirmACollaboratorTwice() throws Exception {
    Reply settled = api.newMission(project, 8, 12);
    api.assign(settled, ada).expect(201);
    api.transition(settled, "lock").expect(200);
    Reply overlapping = api.newMission(project, 9, 10);

    List<Reply> replies =
        calls.run(
            List.of(() -> api.assign(overlapping, ada), () -> api.transition(overlapping, "lock")));

    assertThat(replies).extracting(Reply::status).containsAnyOf(409);
    assertThat(replies).extracting(Reply::status).isSubsetOf(200, 201, 409);
  }

  @RepeatedTest(5)
  void lockingTwoOverlappingMissionsSettlesAtMostOne() throws Exception {
    Reply first = api.newMission(project, 8, 12);
    Reply second = api.newMission(project, 9, 10);
    api.assign(first, ada).expect(201);

    List<Reply> replies =
        calls.run(
            List.of(
                () -> api.assign(second, ada),
                () -> api.transition(first, "lock"),
                () -> api.transition(second, "lock")));

    assertThat(replies).extracting(Reply::status).isSubsetOf(200, 201, 409);
    assertThat(statesOfAdasMissions()).filteredOn("locked"::equals).hasSizeLessThan(2);
  }

  @RepeatedTest(5)
  void movesInOppositeDirectionsDoNotWaitForEachOther() throws Exception {
    Reply here = api.newMission(project, 8, 12);
    Reply there = api.newMission(project, 13, 14);
    Reply going = api.assign(here, ada).expect(201);
    Reply coming = api.assign(there, api.newCollaborator(project)).expect(201);

    List<Reply> replies =
        calls.run(List.of(() -> api.move(going, there), () -> api.move(coming, here)));

    assertThat(replies).extracting(Reply::status).containsExactly(200, 200);
  }

  @Test
  void twoEqualAssignmentsAtOnceAreOne() throws Exception {
    Reply mission = api.newMission(project, 8, 12);

    List<Reply> replies =
        calls.run(List.of(() -> api.assign(mission, ada), () -> api.assign(mission, ada)));

    assertThat(replies).extracting(Reply::status).containsExactlyInAnyOrder(201, 409);
  }

  @Test
  void nothingIsAddedToAProjectThatIsBeingArchived() throws Exception {
    Future<Reply> mission;
    try (HeldRow held = HeldRow.of(server, "project", project)) {
      held.execute("UPDATE project SET state = 'archived' WHERE id = '" + project.id() + "'");
      mission = calls.start(() -> api.post(project.location() + "/missions", MissionTest.BODY));
      held.awaitWaiting(1);
    }

    ConcurrentCalls.answerOf(mission).expectProblem(409, "planning.project_archived");
  }

  private List<String> statesOfAdasMissions() {
    return server
        .database()
        .sql(
            """
            SELECT m.state FROM assignment a JOIN mission m USING (tenant)
            WHERE tenant = :tenant AND a.mission_id = m.id
              AND a.collaborator_id = CAST(:ada AS uuid)
            """)
        .param("tenant", api.tenant())
        .param("ada", ada.id())
        .query((row, number) -> row.getString("state"))
        .list();
  }
}
