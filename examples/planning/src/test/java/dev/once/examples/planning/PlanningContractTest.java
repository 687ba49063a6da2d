package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * The planning contract: keys are optional and unique per caller, and codes start with planning.
 */
class PlanningContractTest extends ContractFacts {
  PlanningContractTest() {
    super(PlanningServer.under("planning"));
  }

  @Override
  Refused mismatch() {
    return new Refused(409, "planning.idempotency_replay_conflict");
  }

  @Override
  Refused inFlight() {
    return new Refused(409, "idempotency.in_flight");
  }

  @Override
  Refused keyInvalid() {
    return new Refused(400, "planning.idempotency_key_invalid");
  }

  @Override
  Refused bodyTooLarge() {
    return new Refused(413, "request.body_too_large");
  }

  @Override
  Refused bodyRefused() {
    return new Refused(400, "request.body_refused");
  }

  @Test
  void executesAWriteWithoutAKeyAsOftenAsItComes() {
    expectKeyOptional();
  }

  @Test
  void refusesAKeyThatIsTooLong() {
    expect(create("k".repeat(129), SURVEY), keyInvalid());
    assertThat(missions()).isZero();
  }

  @Test
  void givesEveryCallerKeysOfTheirOwn() {
    Reply mine = create(key, SURVEY).expect(201);
    Reply theirs = create(colleague(), key, SURVEY).expect(201);

    assertThat(isReplay(theirs)).isFalse();
    assertThat(theirs.id()).isNotEqualTo(mine.id());
  }

  @Test
  void keepsThatTheRevisionIsAnother() {
    Reply refused = archive("\"7\"");

    refused.expectProblem(409, "planning.concurrency_mismatch");
    assertThat(refused.text("current_revision")).isEqualTo("\"1\"");
    expectReplay(refused, archive("\"7\""));
  }

  @Test
  void wantsToKnowTheRevision() {
    api.post(project.location() + "/archive", null, Api.KEY, key)
        .expectProblem(428, "planning.concurrency_etag_required");

    archive("\"1\"").expect(200);
  }

  // B12
  @Test
  void namesTheRevisionInTheBodyToo() {
    assertThat(project.json().path("version").asInt()).isEqualTo(1);

    Reply renamed = rename("?if_match=1", "{\"name\":\"Dock\"}").expect(200);

    assertThat(renamed.json().path("version").asInt()).isEqualTo(2);
    assertThat(renamed.header("ETag")).isEqualTo("\"2\"");
  }

  // B12
  @Test
  void takesTheRevisionFromTheBodyOrTheQueryWithoutAKey() {
    rename("", "{\"name\":\"Dock\",\"if_match\":1}").expect(200);
    rename("", "{\"name\":\"Pier\",\"if_match\":\"2\"}").expect(200);
    rename("?if_match=3", "{\"name\":\"Quay\"}").expect(200);
    rename("?if_match=%224%22", "{\"name\":\"Port\"}").expect(200);
    api.sendWithoutKey("POST", project.location() + "/archive", "{\"if_match\":5}").expect(200);
    assertThat(api.tag(project)).isEqualTo("\"6\"");
  }

  // B12
  @Test
  void refusesAnotherRevisionInTheBodyOrTheQuery() {
    Reply inBody = rename("", "{\"name\":\"Dock\",\"if_match\":7}");

    inBody.expectProblem(409, "planning.concurrency_mismatch");
    assertThat(inBody.text("current_revision")).isEqualTo("\"1\"");
    rename("?if_match=7", "{\"name\":\"Dock\"}")
        .expectProblem(409, "planning.concurrency_mismatch");
    assertThat(api.tag(project)).isEqualTo("\"1\"");
  }

  // B12
  @Test
  void refusesARequestThatNamesTwoRevisionsOrNone() {
    String body = "{\"name\":\"Dock\",\"if_match\":1}";

    rename("", body, "If-Match", "\"2\"").expectProblem(400, "concurrency.if_match_invalid");
    rename("?if_match=2", body).expectProblem(400, "concurrency.if_match_invalid");
    rename("?if_match=1&if_match=1", "{\"name\":\"Dock\"}")
        .expectProblem(400, "concurrency.if_match_invalid");
    rename("", "{\"name\":\"Dock\"}").expectProblem(428, "planning.concurrency_etag_required");
    assertThat(api.tag(project)).isEqualTo("\"1\"");
  }

  // B12
  @Test
  void replaysToTheSameRevisionInAnotherPlace() {
    String body = "{\"name\":\"Dock\"}";
    Reply first = rename("", body, Api.KEY, key, "If-Match", "\"1\"").expect(200);

    expectReplay(first, rename("?if_match=1", body, Api.KEY, key));
    expectReplay(first, rename("", "{\"if_match\":1,\"name\":\"Dock\"}", Api.KEY, key));
    expect(rename("?if_match=2", body, Api.KEY, key), mismatch());
  }

  // B12
  @Test
  void describesTheRevisionOutsideOfHeaders() {
    JsonNode patch =
        server
            .stranger()
            .get("/v3/api-docs")
            .expect(200)
            .json()
            .at("/paths/~1v1~1projects~1{id}/patch");

    assertThat(patch.path("parameters").findValuesAsString("name"))
        .containsExactly("id", "Idempotency-Key", "If-Match", "if_match");
    assertThat(
            patch
                .at("/requestBody/content/application~1json/schema/allOf/1/properties")
                .has("if_match"))
        .isTrue();
  }

  @Test
  void looksAgainForWhatWasMissing() {
    String nowhere = "/v1/projects/" + Api.randomId() + "/missions";

    for (int i = 0; i < 2; i++) {
      Reply missing = api.post(nowhere, SURVEY, Api.KEY, key);
      missing.expectProblem(404, "planning.not_found");
      assertThat(isReplay(missing)).isFalse();
    }
    assertThat(records()).isZero();
  }

  private Reply rename(String query, String body, String... headers) {
    return api.sendWithoutKey("PATCH", project.location() + query, body, headers);
  }

  private Reply archive(String tag) {
    return api.post(project.location() + "/archive", null, Api.KEY, key, "If-Match", tag);
  }
}
