package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.embedded.EmbeddedPostgres;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Every write enqueues jobs for the data derived from it. No worker runs them here. */
class JobTest {
  private static final PlanningServer SERVER =
      PlanningServer.start(
          EmbeddedPostgres.shared().newDatabase("planning_jobs"),
          Map.of(
              "once.jobs.workers",
              "false",
              "logging.level.dev.once.examples.planning.Problems",
              "off"));

  private final Api api = SERVER.planner();
  private final Reply project = api.newProject();

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  // A17
  @Test
  void aProjectIsToBeIndexedAndCounted() {
    assertThat(SERVER.jobs(api))
        .containsExactlyInAnyOrder(
            key("search:index", project, "1"), key("dashboard:refresh", project, "1"));
  }

  @Test
  void aMissionIsToBeIndexedAndItsProjectCounted() {
    Reply mission = api.newMission(project, 8, 12);

    assertThat(SERVER.jobs(api))
        .hasSize(4)
        .contains(
            key("search:index", mission, "1"),
            key("dashboard:refresh", project, "mission:" + mission.id() + "@1"));
  }

  // D9
  @Test
  void anAssignmentIsToBeCountedAndAnnounced() {
    Reply assignment =
        api.assign(api.newMission(project, 8, 12), api.newCollaborator(project)).expect(201);

    assertThat(SERVER.jobs(api))
        .contains(
            key("dashboard:refresh", project, "assignment:" + assignment.id() + "@1"),
            key("notify:assignment", assignment, "1"));
  }

  @Test
  void everyChangeIsWorkOfItsOwn() {
    Reply mission = api.newMission(project, 8, 12);
    api.transition(mission, "archive").expect(200);
    api.transition(mission, "unarchive").expect(200);
    api.change("DELETE", mission, null).expect(204);

    assertThat(SERVER.jobs(api))
        .contains(
            key("search:index", mission, "2"),
            key("search:index", mission, "3"),
            key("search:index", mission, "4"));
  }

  @Test
  void aRefusedChangeAsksForNothing() {
    api.transition(project, "unarchive").expect(409);

    assertThat(SERVER.jobs(api)).hasSize(2);
  }

  // A19
  @Test
  void aWriteThatIsRolledBackLeavesNoJob() {
    int before = SERVER.jobs(api).size();
    try (RefusedCommit refused = RefusedCommit.of(SERVER, "mission", api)) {
      refused
          .provoke(() -> api.post(project.location() + "/missions", MissionTest.BODY))
          .expectProblem(500, "planning.internal_server_error");
    }

    assertThat(SERVER.count("mission", api)).isZero();
    assertThat(SERVER.jobs(api)).hasSize(before);
  }

  // A24
  @Test
  void carriesTheIdsOfTheRequest() {
    Api other = SERVER.planner();
    other
        .post(
            "/v1/projects",
            "{\"name\":\"Dock\"}",
            "X-Request-ID",
            "request-7",
            "X-Correlation-ID",
            "flow-3")
        .expect(201);

    assertThat(select("correlation", other))
        .hasSize(2)
        .containsOnly("X-Request-ID: request-7\nX-Correlation-ID: flow-3\n");
  }

  @Test
  void namesWhatChangedAndNothingOfIt() {
    assertThat(select("convert_from(payload, 'UTF8')", api))
        .hasSize(2)
        .allMatch(it -> it.contains("\"action\":\"project.create\"") && it.contains(project.id()))
        .noneMatch(it -> it.contains("Harbour"));
  }

  // A25
  @Test
  void isInTheAuditTrailOfTheWrite() {
    Reply mission = api.newMission(project, 8, 12);

    assertThat(
            api.get("/v1/audit?resource=" + mission.id())
                .json()
                .at("/items/0/jobs")
                .valueStream()
                .map(it -> it.asString()))
        .containsExactly(
            key("search:index", mission, "1"),
            key("dashboard:refresh", project, "mission:" + mission.id() + "@1"));
  }

  private String key(String job, Reply target, String version) {
    return "job:" + api.tenant() + ":" + job + ":" + target.id() + "@" + version;
  }

  private static List<String> select(String column, Api api) {
    return SERVER
        .database()
        .sql("SELECT " + column + " AS value FROM once_job WHERE tenant = :tenant")
        .param("tenant", api.tenant())
        .query((row, number) -> row.getString("value"))
        .list();
  }
}
