package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads return a revision, and a write must name the one it changes. */
class RevisionTest {
  private static final Api API = PlanningServer.shared().planner();
  private static final Reply PROJECT = API.newProject();

  @ParameterizedTest
  @MethodSource("writes")
  void everyChangeNeedsIfMatch(String method, String path, String body) {
    Reply refused = API.send(method, path, body.isEmpty() ? null : body);

    refused.expectProblem(428, "concurrency.etag_required");
  }

  @ParameterizedTest
  @MethodSource("writes")
  void everyChangeOfAnOldRevisionIsRefused(String method, String path, String body) {
    Reply refused = API.send(method, path, body.isEmpty() ? null : body, "If-Match", "\"0\"");

    refused.expectProblem(409, "concurrency.version_mismatch");
    assertThat(refused.text("current_revision")).isEqualTo("\"1\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "1", "\"1", "1\"", "\"1\" \"2\"", "'1'", "\"1\", *"})
  void refusesWhatIsNoEntityTag(String value) {
    Reply refused = API.send("PATCH", PROJECT.location(), "{\"name\":\"Dock\"}", "If-Match", value);

    refused.expectProblem(400, "concurrency.if_match_invalid");
  }

  @Test
  void comparesTagsStrongly() {
    Reply refused =
        API.send("PATCH", PROJECT.location(), "{\"name\":\"Dock\"}", "If-Match", "W/\"1\"");

    refused.expectProblem(409, "concurrency.version_mismatch");
  }

  @Test
  void acceptsTheCurrentTagAmongOthers() {
    Reply project = API.newProject();

    Reply renamed =
        API.send("PATCH", project.location(), "{\"name\":\"Dock\"}", "If-Match", "\"7\", \"1\"");

    assertThat(renamed.expect(200).header("ETag")).isEqualTo("\"2\"");
  }

  @Test
  void sendsNothingToAReaderThatHasTheRevision() {
    Reply unchanged = API.get(PROJECT.location(), "If-None-Match", "\"1\"").expect(304);
    Reply other = API.get(PROJECT.location(), "If-None-Match", "\"2\"").expect(200);

    assertThat(unchanged.body()).isEmpty();
    assertThat(unchanged.header("ETag")).isEqualTo("\"1\"");
    assertThat(other.header("ETag")).isEqualTo("\"1\"");
  }

  @Test
  void tellsTheRevisionWithoutTheBody() {
    Reply head = API.send("HEAD", PROJECT.location(), null).expect(200);

    assertThat(head.body()).isEmpty();
    assertThat(head.header("ETag")).isEqualTo("\"1\"");
  }

  static Stream<Arguments> writes() {
    Reply mission = API.newMission(PROJECT, 8, 12);
    Reply assignment = API.assign(mission, API.newCollaborator(PROJECT)).expect(201);
    String move = "{\"mission_id\":\"" + mission.id() + "\"}";
    return Stream.of(
        Arguments.of("PATCH", PROJECT.location(), "{\"name\":\"Dock\"}"),
        Arguments.of("POST", PROJECT.location() + "/archive", ""),
        Arguments.of("POST", PROJECT.location() + "/unarchive", ""),
        Arguments.of("PATCH", mission.location(), "{\"title\":\"Census\"}"),
        Arguments.of("DELETE", mission.location(), ""),
        Arguments.of("POST", mission.location() + "/lock", ""),
        Arguments.of("POST", mission.location() + "/archive", ""),
        Arguments.of("POST", mission.location() + "/unarchive", ""),
        Arguments.of("POST", assignment.location() + "/move", move));
  }
}
