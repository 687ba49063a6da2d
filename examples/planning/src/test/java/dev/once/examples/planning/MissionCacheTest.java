package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The application's own cache changes with a first write that succeeds, and with nothing else. */
class MissionCacheTest { // A16
  private static final String RENAME = "{\"title\":\"Census\"}";

  private final PlanningServer server = PlanningServer.shared();
  private final MissionCache cache = server.bean(MissionCache.class);
  private final Api api = server.planner();
  private final Reply project = api.newProject();
  private final String key = Api.randomId();

  @Test
  void isFilledAndUpdatedByFirstWrites() {
    Reply mission = create();
    assertThat(cached(mission)).map(Mission::version).hasValue(1L);

    rename(mission).expect(200);

    assertThat(cached(mission)).map(Mission::title).hasValue("Census");
    assertThat(api.get(mission.location()).expect(200).text("title")).isEqualTo("Census");
    api.change("DELETE", mission, null).expect(204);
    assertThat(cached(mission)).isEmpty();
  }

  @Test
  void isNotTouchedByAReplay() {
    Reply mission = create();
    api.change("DELETE", mission, null).expect(204);

    Reply replay = create();

    assertThat(replay.body()).isEqualTo(mission.body());
    assertThat(cached(mission)).isEmpty();
    api.get(mission.location()).expectProblem(404, "planning.not_found");
  }

  @Test
  void isNotTouchedByARefusal() {
    Reply mission = create();
    Mission before = cached(mission).orElseThrow();

    api.send("PATCH", mission.location(), RENAME, "If-Match", "\"7\"")
        .expectProblem(409, "concurrency.version_mismatch");
    api.post(mission.location() + "/unarchive", null, "If-Match", "\"1\"")
        .expectProblem(409, "planning.transition_refused");
    create("{}").expectProblem(409, "idempotency.payload_mismatch");

    assertThat(cached(mission).orElseThrow()).isSameAs(before);
  }

  @Test
  void isNotTouchedByAWriteThatFails() {
    Reply mission = create();
    Mission before = cached(mission).orElseThrow();

    try (BrokenAudit broken = BrokenAudit.of(server, api)) {
      broken.provoke(() -> rename(mission)).expect(500);
      broken.provoke(() -> api.change("DELETE", mission, null)).expect(500);
    }

    assertThat(cached(mission).orElseThrow()).isSameAs(before);
  }

  @Test
  void isNotTouchedByAWriteThatTheDatabaseRefusesToCommit() {
    Reply mission = create();
    Mission before = cached(mission).orElseThrow();

    try (RefusedCommit refused = RefusedCommit.of(server, "audit_event", api)) {
      refused.provoke(() -> rename(mission)).expect(500);
    }

    assertThat(cached(mission).orElseThrow()).isSameAs(before);
  }

  @Test
  void isReadButNotFilledByReads() {
    Reply mission = create();
    Mission stored = cached(mission).orElseThrow();
    cache.put(api.tenant(), renamed(stored, "from the cache"));
    assertThat(title(mission)).isEqualTo("from the cache");

    cache.remove(api.tenant(), stored.id());

    assertThat(title(mission)).isEqualTo("Survey");
    assertThat(cached(mission)).isEmpty();
  }

  @Test
  void hidesNoWriteOfAnotherNode() {
    Reply mission = create();

    server
        .database()
        .sql("UPDATE mission SET title = 'elsewhere', version = version + 1 WHERE id = :id")
        .param("id", UUID.fromString(mission.id()))
        .update();

    assertThat(title(mission)).isEqualTo("elsewhere");
  }

  private Reply create() {
    return create(MissionTest.BODY).expect(201);
  }

  private Reply create(String body) {
    return api.post(project.location() + "/missions", body, Api.KEY, key);
  }

  private Reply rename(Reply mission) {
    return api.change("PATCH", mission, RENAME);
  }

  private String title(Reply mission) {
    return api.get(mission.location()).expect(200).text("title");
  }

  private Optional<Mission> cached(Reply mission) {
    return cache.find(api.tenant(), UUID.fromString(mission.id()));
  }

  private static Mission renamed(Mission it, String title) {
    return new Mission(
        it.id(), it.projectId(), title, it.startsAt(), it.endsAt(), it.state(), it.version());
  }
}
