package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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

  private Reply archive(String tag) {
    return api.post(project.location() + "/archive", null, Api.KEY, key, "If-Match", tag);
  }
}
