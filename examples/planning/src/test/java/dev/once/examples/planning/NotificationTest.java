package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Collaborators are notified of their assignments asynchronously; a failure does not affect the
 * request.
 */
class NotificationTest {
  private final PlanningServer server = PlanningServer.shared();
  private final Api api = server.planner();
  private final Reply project = api.newProject();
  private final Reply mission = api.newMission(project, 8, 12);
  private final Reply ada = api.newCollaborator(project);

  // A24
  @Test
  void areSentOnceUnderTheIdsOfTheRequest() {
    String body = "{\"collaborator_id\":\"" + ada.id() + "\"}";
    Reply assignment =
        api.post(
                mission.location() + "/assignments",
                body,
                "X-Request-ID",
                "request-7",
                "X-Correlation-ID",
                "flow-3")
            .expect(201);
    server.awaitJobs(api);

    assertThat(sent("key || ' ' || request_id || ' ' || correlation_id"))
        .containsExactly(
            "job:%s:notify:assignment:%s@1 request-7 flow-3"
                .formatted(api.tenant(), assignment.id()));
    assertThat(sent("collaborator_id || ' ' || mission_id"))
        .containsExactly(ada.id() + " " + mission.id());
  }

  @Test
  void areSentForEveryMove() {
    Reply assignment = api.assign(mission, ada).expect(201);
    server.awaitJobs(api);
    Reply other = api.newMission(project, 13, 14);
    api.move(assignment, other).expect(200);
    server.awaitJobs(api);

    assertThat(sent("mission_id::text")).containsExactlyInAnyOrder(mission.id(), other.id());
  }

  // D9
  @Test
  void changeNothingOfTheRequestWhenTheyFail() {
    String key = Api.randomId();
    String path = mission.location() + "/assignments";
    String body = "{\"collaborator_id\":\"" + ada.id() + "\"}";
    Reply first;
    try (BrokenProvider broken = BrokenProvider.of(server, api)) {
      first = api.post(path, body, Api.KEY, key).expect(201);
      broken.awaitRefusal();

      assertThat(record(key)).isEqualTo("completed");
      Reply replay = api.post(path, body, Api.KEY, key).expect(201);
      assertThat(replay.body()).isEqualTo(first.body());
      assertThat(sent("key")).isEmpty();
    }
    server.awaitJobs(api);

    assertThat(sent("key")).hasSize(1);
    assertThat(api.post(path, body, Api.KEY, key).body()).isEqualTo(first.body());
  }

  private String record(String key) {
    return server
        .database()
        .sql("SELECT state FROM once_record WHERE tenant = :tenant AND key = :key")
        .param("tenant", api.tenant())
        .param("key", key)
        .query(String.class)
        .single();
  }

  private List<String> sent(String columns) {
    return server
        .database()
        .sql("SELECT " + columns + " AS value FROM sent_notification WHERE tenant = :tenant")
        .param("tenant", api.tenant())
        .query((row, number) -> row.getString("value"))
        .list();
  }
}
