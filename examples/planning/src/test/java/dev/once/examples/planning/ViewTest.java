package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The data that jobs derive: the dashboard and the search index. */
class ViewTest {
  private final PlanningServer server = PlanningServer.shared();
  private final Api api = server.planner();

  @Test
  void countsWhatIsInAProject() {
    Reply project = api.newProject();
    Reply mission = api.newMission(project, 8, 12);
    api.assign(mission, api.newCollaborator(project)).expect(201);
    api.newCollaborator(project);
    api.transition(mission, "lock").expect(200);
    api.transition(api.newMission(project, 8, 12), "archive").expect(200);
    api.newMission(project, 13, 14);
    api.newMission(project, 13, 14);
    server.awaitJobs(api);

    Reply dashboard = api.get(project.location() + "/dashboard").expect(200);

    assertThat(dashboard.text("project_id")).isEqualTo(project.id());
    assertThat(Instant.parse(dashboard.text("as_of"))).isAfter(Instant.EPOCH);
    assertThat(dashboard.json().path("missions").toString())
        .isEqualTo("{\"planned\":2,\"locked\":1,\"archived\":1}");
    assertThat(dashboard.json().path("collaborators").asInt()).isEqualTo(2);
    assertThat(dashboard.json().path("assignments").asInt()).isEqualTo(1);
  }

  @Test
  void findsNamesAndTitles() {
    Reply project = api.post("/v1/projects", "{\"name\":\"Survey ship\"}").expect(201);
    Reply mission = api.newMission(project, 8, 12);
    api.newProject();
    server.awaitJobs(api);

    assertThat(found("SURV")).containsExactly("project " + project.id(), "mission " + mission.id());
    assertThat(found("ship")).containsExactly("project " + project.id());
    assertThat(found("nothing")).isEmpty();
  }

  @Test
  void takesPatternsForText() {
    Reply project = api.post("/v1/projects", "{\"name\":\"100% a_b c\\\\d\"}").expect(201);
    api.newProject();
    server.awaitJobs(api);

    for (String text : List.of("%", "_", "\\")) {
      assertThat(found(text)).containsExactly("project " + project.id());
    }
  }

  @Test
  void readsWhatItFoundInParts() {
    Reply project = api.newProject();
    api.newMission(project, 8, 12);
    api.newMission(project, 8, 12);
    server.awaitJobs(api);

    Reply first = api.get("/v1/search?q=survey&limit=1").expect(200);
    Reply second = api.get("/v1/search?q=survey&limit=1&cursor=" + first.text("next")).expect(200);

    assertThat(second.json().at("/items/0/id")).isNotEqualTo(first.json().at("/items/0/id"));
    assertThat(second.json().get("next").isNull()).isTrue();
  }

  @Test
  void findsNoMissionThatIsGone() {
    Reply mission = api.newMission(api.newProject(), 8, 12);
    server.awaitJobs(api);
    assertThat(found("survey")).containsExactly("mission " + mission.id());
    api.change("DELETE", mission, null).expect(204);
    server.awaitJobs(api);

    assertThat(found("survey")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/search", "/v1/search?q=", "/v1/search?q=%20", "/v1/search?q=a%00"})
  void wantsToKnowWhatToLookFor(String path) {
    Reply refused = api.get(path);

    refused.expectProblem(400, "planning.validation_failed");
    assertThat(refused.json().at("/errors/0/field").asString()).isEqualTo("q");
  }

  private List<String> found(String text) {
    String query = URLEncoder.encode(text, StandardCharsets.UTF_8);
    List<String> hits = new ArrayList<>();
    api.get("/v1/search?q=" + query)
        .expect(200)
        .json()
        .path("items")
        .forEach(it -> hits.add(it.path("type").asString() + " " + it.path("id").asString()));
    return hits;
  }
}
