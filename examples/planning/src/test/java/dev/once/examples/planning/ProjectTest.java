package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProjectTest {
  private final Api api = PlanningServer.shared().planner();

  @Test
  void isCreatedAndFoundWhereTheAnswerSays() {
    Reply created = api.post("/v1/projects", "{\"name\":\"Harbour\"}").expect(201);

    assertThat(created.location()).isEqualTo("/v1/projects/" + created.id());
    assertThat(created.header("ETag")).isEqualTo("\"1\"");
    assertThat(created.header("Content-Type")).isEqualTo("application/json");
    assertThat(created.body())
        .isEqualTo(
            "{\"id\":\"%s\",\"name\":\"Harbour\",\"state\":\"active\",\"version\":1}"
                .formatted(created.id()));
    assertThat(api.get(created.location()).expect(200).body()).isEqualTo(created.body());
  }

  @Test
  void isRenamedByItsNewestRevision() {
    Reply project = api.newProject();

    Reply renamed = api.change("PATCH", project, "{\"name\":\"Dock\"}").expect(200);

    assertThat(renamed.text("name")).isEqualTo("Dock");
    assertThat(renamed.header("ETag")).isEqualTo("\"2\"");
    assertThat(api.get(project.location()).body()).isEqualTo(renamed.body());
  }

  @Test
  void isArchivedAndUnarchived() {
    Reply project = api.newProject();

    Reply archived = api.transition(project, "archive").expect(200);
    Reply unarchived = api.transition(project, "unarchive").expect(200);

    assertThat(archived.text("state")).isEqualTo("archived");
    assertThat(unarchived.text("state")).isEqualTo("active");
    assertThat(unarchived.header("ETag")).isEqualTo("\"3\"");
  }

  @Test
  void refusesATransitionFromTheWrongState() {
    Reply project = api.newProject();

    api.transition(project, "unarchive").expectProblem(409, "planning.transition_refused");

    api.transition(project, "archive").expect(200);
    api.transition(project, "archive").expectProblem(409, "planning.transition_refused");
    assertThat(api.tag(project)).isEqualTo("\"2\"");
  }

  @Test
  void takesNothingNewWhileItIsArchived() {
    Reply project = api.newProject();
    api.transition(project, "archive").expect(200);

    Reply mission = api.post(project.location() + "/missions", MissionTest.BODY);
    Reply collaborator = api.post(project.location() + "/collaborators", CollaboratorTest.BODY);

    mission.expectProblem(409, "planning.project_archived");
    collaborator.expectProblem(409, "planning.project_archived");
  }
}
