package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OrganizationTest {
  private final Api api = PlanningServer.shared().planner();

  @Test
  void isCreatedAndFoundWhereTheAnswerSays() {
    Reply created = api.post("/v1/organizations", "{\"name\":\"Acme\"}").expect(201);

    assertThat(created.location()).isEqualTo("/v1/organizations/" + created.id());
    assertThat(created.header("ETag")).isEqualTo("\"1\"");
    assertThat(created.body())
        .isEqualTo("{\"id\":\"%s\",\"name\":\"Acme\",\"version\":1}".formatted(created.id()));
    assertThat(api.get(created.location()).expect(200).body()).isEqualTo(created.body());
  }
}
