package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class ValidationTest {
  private static final Api API = PlanningServer.shared().planner();
  private static final Reply PROJECT = API.newProject();
  private static final Reply MISSION = API.newMission(PROJECT, 8, 12);

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "{}, name",
        "{\"name\":null}, name",
        "{\"name\":\"\"}, name",
        "{\"name\":\" \\t \"}, name",
        "{\"name\":\"a\\u0000b\"}, name",
        "{\"name\":7}, name",
        "{\"name\":true}, name",
        "{\"name\":[\"a\"]}, name",
        "{\"name\":{}}, name",
        "`{\"name\":\"a\",\"id\":\"b\"}`, id",
        "`{\"name\":\"a\",\"tenant\":\"b\"}`, tenant",
      })
  void namesTheMemberThatIsWrong(String body, String field) {
    assertThat(fieldsOf(API.post("/v1/projects", body))).containsExactly(field);
  }

  @Test
  void refusesHalfASurrogatePair() {
    API.post("/v1/projects", "{\"name\":\"\\ud800\"}").expectProblem(400, "request.body_refused");
  }

  @Test
  void countsCharactersAndNotTheirEncoding() {
    API.post("/v1/projects", "{\"name\":\"" + "\uD83D\uDE00".repeat(200) + "\"}").expect(201);

    Reply refused = API.post("/v1/projects", "{\"name\":\"" + "a".repeat(201) + "\"}");

    assertThat(fieldsOf(refused)).containsExactly("name");
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-01T08:00:00, 2026-11-01T12:00:00Z, starts_at",
    "2026-11-01, 2026-11-01T12:00:00Z, starts_at",
    "yesterday, 2026-11-01T12:00:00Z, starts_at",
    "+300000-11-01T08:00:00Z, 2026-11-01T12:00:00Z, starts_at",
    "2026-11-01T08:00:00Z, 1969-12-31T23:59:59Z, ends_at",
    "2026-11-01T08:00:00Z, 2026-11-01T08:00:00Z, ends_at",
    "2026-11-01T08:00:00Z, 2026-11-01T08:00:00.0000001Z, ends_at",
    "2026-11-01T08:00:00Z, 2026-11-01T09:00:00+02:00, ends_at"
  })
  void wantsTimesWithAnOffsetAndInOrder(String startsAt, String endsAt, String field) {
    Reply refused =
        API.post(
            PROJECT.location() + "/missions",
            "{\"title\":\"Survey\",\"starts_at\":\"%s\",\"ends_at\":\"%s\"}"
                .formatted(startsAt, endsAt));

    assertThat(fieldsOf(refused)).containsExactly(field);
  }

  @Test
  void wantsTimesAsText() {
    Reply refused =
        API.post(
            PROJECT.location() + "/missions",
            "{\"title\":\"Survey\",\"starts_at\":1,\"ends_at\":2}");

    assertThat(fieldsOf(refused)).containsExactly("starts_at");
  }

  @Test
  void namesAllMembersThatAreMissing() {
    Reply refused = API.post(PROJECT.location() + "/missions", "{}");

    assertThat(fieldsOf(refused)).containsExactly("ends_at", "starts_at", "title");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"+1234567", "+1234567890123456", "4915112345678", "+49 151 12345678", "+49x15112"})
  void wantsPhoneNumbersInOneForm(String phone) {
    Reply refused =
        API.post(
            PROJECT.location() + "/collaborators",
            "{\"name\":\"Ada\",\"phone\":\"" + phone + "\"}");

    assertThat(fieldsOf(refused)).containsExactly("phone");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "{}, body",
        "{\"title\":null}, title",
        "{\"starts_at\":null}, starts_at",
        "{\"title\":\"\"}, title",
        "{\"state\":\"locked\"}, state",
        "{\"version\":7}, version"
      })
  void refusesAPatchThatSaysNothingOrTooMuch(String body, String field) {
    assertThat(fieldsOf(API.change("PATCH", MISSION, body))).containsExactly(field);
    assertThat(API.tag(MISSION)).isEqualTo("\"1\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"collaborator_id\":null}", "{\"collaborator_id\":\"ada\"}"})
  void wantsTheIdOfACollaborator(String body) {
    Reply refused = API.post(MISSION.location() + "/assignments", body);

    assertThat(fieldsOf(refused)).containsExactly("collaborator_id");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "null", "{", "[]", "\"name\"", "{\"name\":\"a\"} x", "{'name':'a'}", "name"})
  void refusesWhatIsNoJsonObject(String body) {
    API.post("/v1/projects", body).expectProblem(400, "planning.body_malformed");
  }

  @Test
  void refusesAMemberThatComesTwice() {
    Reply refused = API.post("/v1/projects", "{\"name\":\"a\",\"name\":\"b\"}");

    refused.expect(400);
  }

  @Test
  void keepsClassNamesToItself() {
    Reply refused = API.post(MISSION.location() + "/assignments", "{\"collaborator_id\":[1]}");

    assertThat(refused.expect(400).body()).doesNotContain("java", "jackson", "UUID");
  }

  private static List<String> fieldsOf(Reply refused) {
    refused.expectProblem(400, "planning.validation_failed");
    List<String> fields = new ArrayList<>();
    for (JsonNode error : refused.json().path("errors")) {
      assertThat(error.path("message").asString("")).isNotBlank();
      fields.add(error.path("field").asString());
    }
    return fields;
  }
}
