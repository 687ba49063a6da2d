package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.embedded.EmbeddedPostgres;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The service is killed after a write was committed and before its jobs have run. */
class JobKillTest {
  // A19
  @Test
  void whatAWriteAskedForHappensOnceThoughItsServiceIsKilled() throws Exception {
    var database = EmbeddedPostgres.shared().newDatabase("planning_killed");
    Api api;
    Reply project;
    try (ServiceProcess service = ServiceProcess.start(database, "--once.jobs.workers=false");
        PlanningServer tokens =
            PlanningServer.start(database, Map.of("once.jobs.workers", "false"))) {
      Api planner = tokens.planner();
      api = new Api(service.url(), planner.token(), planner.tenant());
      project = Polling.until(() -> tryCreate(api), Optional::isPresent).orElseThrow();
      api.assign(api.newMission(project, 8, 12), api.newCollaborator(project)).expect(201);
      service.kill();
      assertThat(tokens.count("once_job", api)).isEqualTo(7);
      assertThat(tokens.count("search_entry", api)).isZero();
    }

    try (PlanningServer server = PlanningServer.start(database, Map.of())) {
      server.awaitJobs(api);

      assertThat(server.jobs(api)).doesNotHaveDuplicates().hasSize(7);
      assertThat(server.count("search_entry", api)).isEqualTo(2);
      assertThat(server.count("sent_notification", api)).isEqualTo(1);
      Reply dashboard = api.at(server).get(project.location() + "/dashboard").expect(200);
      assertThat(dashboard.json().path("assignments").asInt()).isEqualTo(1);
    }
  }

  /** Returns the answer; empty while the service does not listen yet. */
  private static Optional<Reply> tryCreate(Api api) {
    try {
      return Optional.of(api.newProject());
    } catch (UncheckedIOException e) {
      return Optional.empty();
    }
  }
}
