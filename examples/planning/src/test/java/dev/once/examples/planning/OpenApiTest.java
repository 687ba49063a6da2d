package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class OpenApiTest {
  private final JsonNode document =
      PlanningServer.shared().stranger().get("/v3/api-docs").expect(200).json();

  @Test
  void namesEveryPathAndMethod() {
    List<String> operations = new ArrayList<>();
    for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
      path.getValue().propertyNames().forEach(it -> operations.add(it + " " + path.getKey()));
    }

    assertThat(operations)
        .containsExactlyInAnyOrder(
            "post /v1/organizations",
            "get /v1/organizations/{id}",
            "post /v1/projects",
            "get /v1/projects",
            "get /v1/projects/{id}",
            "patch /v1/projects/{id}",
            "post /v1/projects/{id}/archive",
            "post /v1/projects/{id}/unarchive",
            "post /v1/projects/{id}/missions",
            "get /v1/projects/{id}/missions",
            "post /v1/projects/{id}/collaborators",
            "get /v1/projects/{id}/dashboard",
            "get /v1/missions/{id}",
            "patch /v1/missions/{id}",
            "delete /v1/missions/{id}",
            "post /v1/missions/{id}/lock",
            "post /v1/missions/{id}/archive",
            "post /v1/missions/{id}/unarchive",
            "post /v1/missions/{id}/assignments",
            "get /v1/collaborators/{id}",
            "get /v1/assignments/{id}",
            "post /v1/assignments/{id}/move",
            "get /v1/search",
            "get /v1/audit");
  }

  @Test
  void tellsWhichHeadersAWriteTakes() {
    assertThat(parametersOf("/v1/projects", "post")).containsExactly("Idempotency-Key*");
    assertThat(parametersOf("/v1/missions/{id}/lock", "post"))
        .containsExactly("id", "Idempotency-Key*", "If-Match*");
    assertThat(parametersOf("/v1/missions/{id}", "get")).containsExactly("id");
    assertThat(parametersOf("/v1/projects", "get")).containsExactly("limit", "cursor");
  }

  @Test
  void namesTheAnswersOfEveryOperation() {
    assertThat(answersOf(document, "/v1/projects", "post"))
        .contains("201", "400", "409")
        .doesNotContain("200", "404", "428");
    assertThat(answersOf(document, "/v1/projects/{id}/missions", "post"))
        .contains("201", "400", "404", "409");
    assertThat(answersOf(document, "/v1/missions/{id}/lock", "post"))
        .contains("200", "400", "404", "409", "428");
    assertThat(answersOf(document, "/v1/missions/{id}", "delete"))
        .contains("204", "400", "404", "409", "428");
    assertThat(answersOf(document, "/v1/missions/{id}", "get"))
        .containsExactlyInAnyOrder("200", "404");
  }

  @Test
  void namesAnswersThatAreOfTheContract() {
    JsonNode ietf = PlanningServer.under("ietf").stranger().get("/v3/api-docs").expect(200).json();

    assertThat(answersOf(ietf, "/v1/missions/{id}", "patch"))
        .contains("200", "400", "404", "409", "412", "422", "428");
  }

  @Test
  void tellsHowAReplayIsMarked() {
    JsonNode created = document.at("/paths/~1v1~1projects/post/responses/201");

    assertThat(created.path("headers").propertyNames())
        .containsExactlyInAnyOrder("Location", "ETag", "Idempotency-Replayed");
    assertThat(created.at("/content/*~1*/schema/$ref").asString())
        .isEqualTo("#/components/schemas/Project");
  }

  @Test
  void namesMembersAsTheJsonDoes() {
    assertThat(document.at("/components/schemas/Mission/properties").propertyNames())
        .containsExactlyInAnyOrder(
            "id", "project_id", "title", "starts_at", "ends_at", "state", "version");
    assertThat(document.at("/components/schemas/MissionPatch/properties").propertyNames())
        .containsExactlyInAnyOrder("title", "starts_at", "ends_at");
  }

  @Test
  void asksForABearerTokenAndNamesNoMachine() {
    assertThat(document.at("/info/title").asString()).isEqualTo("Planning API");
    assertThat(document.at("/components/securitySchemes/bearer/scheme").asString())
        .isEqualTo("bearer");
    assertThat(document.path("servers")).hasSize(1);
    assertThat(document.at("/servers/0/url").asString()).isEqualTo("/");
    assertThat(document.toString()).doesNotContain("127.0.0.1", "localhost");
  }

  private static Collection<String> answersOf(JsonNode document, String path, String method) {
    return document.path("paths").path(path).path(method).path("responses").propertyNames();
  }

  /** Returns the names of parameters; a required header ends in a star. */
  private List<String> parametersOf(String path, String method) {
    List<String> names = new ArrayList<>();
    for (JsonNode parameter : document.path("paths").path(path).path(method).path("parameters")) {
      boolean isRequiredHeader =
          parameter.path("in").asString().equals("header")
              && parameter.path("required").asBoolean(false);
      names.add(parameter.path("name").asString() + (isRequiredHeader ? "*" : ""));
    }
    return names;
  }
}
