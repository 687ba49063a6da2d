package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Every list is read in pages, and every item is on exactly one of them. */
class PagingTest {
  private final Api api = PlanningServer.shared().planner();

  @Test
  void listsProjectsFromTheOldestOn() {
    List<String> created = List.of(api.newProject().id(), api.newProject().id());
    Reply last = api.newProject();

    assertThat(everything("/v1/projects?limit=2"))
        .containsExactly(created.get(0), created.get(1), last.id());
  }

  @Test
  void listsTheMissionsOfAProjectAlone() {
    Reply project = api.newProject();
    List<String> created = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      created.add(api.newMission(project, 8, 12).id());
      api.newMission(api.newProject(), 8, 12);
    }

    assertThat(everything(project.location() + "/missions?limit=2")).isEqualTo(created);
  }

  @Test
  void findsNothingAfterTheLastItem() {
    api.newProject();

    Reply all = api.get("/v1/projects?limit=1").expect(200);

    assertThat(all.json().path("items")).hasSize(1);
    assertThat(all.json().get("next").isNull()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"limit=0", "limit=101", "limit=-1", "limit=many", "limit=1.5"})
  void refusesALimitOutOfBounds(String query) {
    Reply refused = api.get("/v1/projects?" + query);

    refused.expectProblem(400, "planning.validation_failed");
    assertThat(refused.json().at("/errors/0/field").asString()).isEqualTo("limit");
  }

  @Test
  void refusesACursorThatItDidNotGive() {
    byte[] afterTheEndOfTime = new byte[24];
    afterTheEndOfTime[0] = 127;
    String forged = Base64.getUrlEncoder().withoutPadding().encodeToString(afterTheEndOfTime);

    for (String cursor : List.of("x", "", "AAAA", "%25", forged)) {
      Reply refused = api.get("/v1/projects?cursor=" + cursor);

      refused.expectProblem(400, "planning.validation_failed");
      assertThat(refused.json().at("/errors/0/field").asString()).isEqualTo("cursor");
    }
  }

  private List<String> everything(String path) {
    List<String> ids = new ArrayList<>();
    String next = "";
    do {
      JsonNode page = api.get(path + next).expect(200).json();
      assertThat(page.path("items").size()).isBetween(1, 2);
      page.path("items").forEach(it -> ids.add(it.path("id").asString()));
      next = page.get("next").isNull() ? "" : "&cursor=" + page.get("next").asString();
    } while (!next.isEmpty());
    return ids;
  }
}
