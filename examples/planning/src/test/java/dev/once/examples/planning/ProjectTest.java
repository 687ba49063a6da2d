package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProjectTest {
  private final Api api = PlanningServer.shared().planner();

  @Test
  void createsAProjectAndSaysWhereItIs() {
    Reply created = api.post("/v1/projects", "{\"name\":\"Harbour\"}").expect(201);

    assertThat(created.location()).isEqualTo("/v1/projects/" + created.id());
    assertThat(created.header("ETag")).isEqualTo("\"1\"");
    assertThat(created.body())
        .isEqualTo(
            "{\"id\":\"%s\",\"name\":\"Harbour\",\"state\":\"active\",\"version\":1}"
                .formatted(created.id()));
    assertThat(api.get(created.location()).expect(200).body()).isEqualTo(created.body());
  }
}
