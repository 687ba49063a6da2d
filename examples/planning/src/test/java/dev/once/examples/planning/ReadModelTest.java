package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.embedded.EmbeddedPostgres;
import dev.once.jobs.EnqueueResult;
import dev.once.jobs.Job;
import dev.once.jobs.JobKey;
import dev.once.jobs.JobState;
import dev.once.jobs.Jobs;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Jobs that run twice, in any order and concurrently have the same result as one of each. */
class ReadModelTest {
  private static final int TENANTS = 5;

  private final PlanningServer server = PlanningServer.shared();
  private final Api api = server.planner();

  // A2, A19
  @Test
  void isRightWhateverTheOrderOfItsJobsAndHoweverManyTimesEachComes() {
    var database = EmbeddedPostgres.shared().newDatabase("planning_order");
    Map<String, String> idle = Map.of("once.jobs.workers", "false");
    Map<Api, Reply> projects = new HashMap<>();
    try (PlanningServer writer = PlanningServer.start(database, idle)) {
      for (int i = 0; i < TENANTS; i++) {
        Api planner = writer.planner();
        projects.put(planner, plan(planner));
      }
      doubleAndShuffleJobs(writer);

      try (PlanningServer worker = PlanningServer.start(database, Map.of())) {
        projects.forEach(
            (planner, project) -> {
              worker.awaitJobs(planner);
              expectWhatWasPlanned(planner, project);
              // The provider received two keys.
              assertThat(writer.count("sent_notification", planner)).isEqualTo(2);
            });
      }
    }
  }

  private static Reply plan(Api planner) {
    Reply project = planner.newProject();
    Reply kept = planner.newMission(project, 8, 12);
    planner.change("PATCH", kept, "{\"title\":\"Soundings\"}").expect(200);
    planner.change("PATCH", kept, "{\"title\":\"Borings\"}").expect(200);
    Reply gone = planner.newMission(project, 13, 14);
    planner.change("DELETE", gone, null).expect(204);
    planner.transition(planner.newMission(project, 15, 16), "lock").expect(200);
    planner.assign(kept, planner.newCollaborator(project)).expect(201);
    return project;
  }

  private static void expectWhatWasPlanned(Api planner, Reply project) {
    assertThat(hits(planner, "o")).containsExactlyInAnyOrder("Borings", "Harbour");
    assertThat(hits(planner, "Survey")).hasSize(1);
    Reply dashboard = planner.get(project.location() + "/dashboard").expect(200);
    assertThat(dashboard.body())
        .contains("\"missions\":{\"planned\":1,\"locked\":1,\"archived\":0}")
        .contains("\"collaborators\":1", "\"assignments\":1");
  }

  @Test
  void keepsTheNewerVersionWhenAnOlderOneComesLate() {
    SearchIndex index = server.bean(SearchIndex.class);
    UUID id = UUID.randomUUID();
    index.put(api.tenant(), version(id, "new", 2));
    index.put(api.tenant(), version(id, "old", 1));

    assertThat(hits(api, "new")).hasSize(1);
    assertThat(hits(api, "old")).isEmpty();
  }

  @Test
  void findsNothingAgainThatIsGone() {
    SearchIndex index = server.bean(SearchIndex.class);
    UUID id = UUID.randomUUID();
    index.remove(api.tenant(), id);
    index.put(api.tenant(), version(id, "risen", 7));

    assertThat(hits(api, "risen")).isEmpty();
  }

  // A18
  @Test
  void knowsAJobThatWasDone() {
    Reply project = api.newProject();
    server.awaitJobs(api);
    JobKey key = new JobKey(api.tenant(), "search", "index", project.id() + "@1");
    String payload =
        """
        {"target":"%1$s","action":"project.create","resource_type":"project",\
        "resource_id":"%1$s","version":1}"""
            .formatted(project.id());

    EnqueueResult again = server.bean(Jobs.class).enqueue(Job.of(key).withText(payload));

    assertThat(again.created()).isFalse();
    assertThat(again.state()).isEqualTo(JobState.DONE);
  }

  @Test
  void showsAProjectThatWasNotCountedYetAsEmpty() {
    DashboardRepository dashboards = server.bean(DashboardRepository.class);
    Reply project = api.newProject();
    server.awaitJobs(api);
    server
        .database()
        .sql("DELETE FROM dashboard WHERE tenant = :tenant")
        .param("tenant", api.tenant())
        .update();

    Optional<Dashboard> empty = dashboards.find(api.tenant(), UUID.fromString(project.id()));

    assertThat(empty).map(Dashboard::missions).hasValue(new Dashboard.Missions(0, 0, 0));
  }

  /** Enqueues every job a second time under another key, and shuffles all of them. */
  private static void doubleAndShuffleJobs(PlanningServer server) {
    server
        .database()
        .sql(
            """
            INSERT INTO once_job (tenant, queue, type, key, fingerprint, state, priority, checked,
              run_at, enqueued_at, correlation, payload)
            SELECT tenant, queue, type, key || '-again', fingerprint, state, priority, checked,
              run_at, enqueued_at, correlation, payload
            FROM once_job
            """)
        .update();
    server.database().sql("UPDATE once_job SET priority = random() * 200 - 100").update();
  }

  private static SearchEntry version(UUID id, String name, long version) {
    return new SearchEntry(Mission.KIND, id, name, version, Instant.EPOCH);
  }

  private static List<String> hits(Api api, String words) {
    return api.get("/v1/search?q=" + words)
        .expect(200)
        .json()
        .path("items")
        .valueStream()
        .map(it -> it.path("name").asString())
        .toList();
  }
}
