package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Every write leaves word of what is to be brought up to date because of it. */
class OutboxTest {
  private final PlanningServer server = PlanningServer.shared();
  private final Api api = server.planner();
  private final Reply project = api.newProject();

  @Test
  void aProjectIsToBeIndexedAndCounted() {
    assertThat(keysOf(project))
        .containsExactlyInAnyOrder(key("search:index", project), key("dashboard:refresh", project));
  }

  @Test
  void aMissionIsToBeIndexedAndItsProjectCounted() {
    Reply mission = api.newMission(project, 8, 12);

    assertThat(keysOf(mission))
        .containsExactlyInAnyOrder(key("search:index", mission), key("dashboard:refresh", project));
  }

  @Test
  void anAssignmentIsToBeCountedAndAnnounced() {
    Reply assignment =
        api.assign(api.newMission(project, 8, 12), api.newCollaborator(project)).expect(201);

    assertThat(keysOf(assignment))
        .containsExactlyInAnyOrder(
            key("dashboard:refresh", project), key("notify:assignment", assignment));
  }

  @Test
  void everyChangeAsksAgain() {
    api.transition(project, "archive").expect(200);

    assertThat(keysOf(project))
        .hasSize(4)
        .filteredOn(key("search:index", project)::equals)
        .hasSize(2);
  }

  @Test
  void aRefusedChangeAsksForNothing() {
    api.transition(project, "unarchive").expect(409);

    assertThat(keysOf(project)).hasSize(2);
  }

  @Test
  void carriesTheIdsOfTheRequest() {
    Reply created =
        api.post(
                "/v1/projects",
                "{\"name\":\"Dock\"}",
                "X-Request-ID",
                "request-7",
                "X-Correlation-ID",
                "trip-3")
            .expect(201);

    assertThat(select("topic || ' ' || request_id || ' ' || correlation_id", created))
        .containsExactlyInAnyOrder(
            "search.index request-7 trip-3", "dashboard.refresh request-7 trip-3");
  }

  @Test
  void namesWhatChangedAndNothingOfIt() {
    assertThat(select("payload->>'action' || ' ' || (payload->>'revision')", project))
        .containsOnly("project.create 1");
    assertThat(select("payload::text", project)).noneMatch(it -> it.contains("Harbour"));
  }

  private String key(String job, Reply resource) {
    return "job:" + api.tenant() + ":" + job + ":" + resource.id();
  }

  private List<String> keysOf(Reply written) {
    return select("key", written);
  }

  private List<String> select(String column, Reply written) {
    return server
        .database()
        .sql(
            "SELECT "
                + column
                + " AS value FROM outbox WHERE tenant = :tenant AND payload->>'resource_id' = :id")
        .param("tenant", api.tenant())
        .param("id", written.id())
        .query((row, number) -> row.getString("value"))
        .list();
  }
}
