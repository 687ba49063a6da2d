package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a key is answered after a failure of the service, not of the client. */
class FailureTest {
  private static final String BODY = "{\"name\":\"Dock\"}";

  private final String key = Api.randomId();

  @ParameterizedTest
  @ValueSource(strings = {"strict", "planning", "async", "ietf"})
  void executesAfterAFailure(String contract) {
    PlanningServer server = PlanningServer.under(contract);
    Api api = server.planner();

    failing(server, api).expectProblem(500, "planning.internal_server_error");

    assertThat(server.count("project", api)).isZero();
    create(api).expect(201);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mobile", "stripe"})
  void replaysAFailureWhereTheContractKeepsAll(String contract) {
    PlanningServer server = PlanningServer.under(contract);
    Api api = server.planner();

    Reply failed = failing(server, api);

    failed.expectProblem(500, "planning.internal_server_error");
    assertThat(create(api).expect(500).body()).isEqualTo(failed.body());
    assertThat(server.count("project", api)).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"strict", "mobile", "stripe"})
  void executesAfterTheDatabaseWasBusy(String contract) throws Exception {
    PlanningServer server = PlanningServer.under(contract);
    Api api = server.planner();
    Reply project = api.newProject();
    String options = "spring.datasource.hikari.data-source-properties.options";
    try (PlanningServer hasty = server.another(Map.of(options, "-c lock_timeout=100ms"))) {
      HeldRow held = HeldRow.of(server, "project", project);
      Reply busy = addTo(project, api.at(hasty));
      held.close();

      busy.expectProblem(503, "planning.service_unavailable");
      assertThat(busy.header("Retry-After")).isEqualTo("1");
    }
    addTo(project, api).expect(201);
    assertThat(server.count("mission", api)).isEqualTo(1);
  }

  private Reply failing(PlanningServer server, Api api) {
    try (BrokenAudit broken = BrokenAudit.of(server, api)) {
      return broken.provoke(() -> create(api));
    }
  }

  private Reply create(Api api) {
    return api.post("/v1/projects", BODY, Api.KEY, key);
  }

  private Reply addTo(Reply project, Api api) {
    return api.post(project.location() + "/missions", MissionTest.BODY, Api.KEY, key);
  }
}
