package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CollaboratorTest {
  static final String BODY = "{\"name\":\"Ada\",\"phone\":\"+4915112345678\"}";

  private final Api api = PlanningServer.shared().planner();

  @Test
  void isCreatedAndFoundWhereTheAnswerSays() {
    Reply project = api.newProject();

    Reply created = api.post(project.location() + "/collaborators", BODY).expect(201);

    assertThat(created.location()).isEqualTo("/v1/collaborators/" + created.id());
    assertThat(created.header("ETag")).isEqualTo("\"1\"");
    assertThat(created.body())
        .isEqualTo(
            "{\"id\":\"%s\",\"project_id\":\"%s\",\"name\":\"Ada\",\"phone\":\"+4915112345678\"}"
                .formatted(created.id(), project.id()));
    assertThat(api.get(created.location()).expect(200).body()).isEqualTo(created.body());
  }
}
