package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The draft of the IETF: a Structured Field String, 422 for another payload, 412 for revisions. */
class IetfContractTest extends ContractFacts {
  IetfContractTest() {
    super(PlanningServer.under("ietf"));
  }

  @Override
  Refused mismatch() {
    return new Refused(422, "idempotency.payload_mismatch");
  }

  @Override
  Refused inFlight() {
    return new Refused(409, "idempotency.in_flight");
  }

  @Override
  Refused keyInvalid() {
    return new Refused(400, "idempotency.key_invalid");
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
  void refusesAWriteWithoutAKey() {
    expectKeyRequired(new Refused(400, "idempotency.key_required"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"order 7, the second\"", "\"a\\\"b\"", "order-7", "\"k\";v=1"})
  void takesStructuredStrings(String value) {
    expectReplay(create(value, SURVEY).expect(201), create(value, SURVEY));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"open", "a;b", "two words", "\"a\" \"b\""})
  void refusesWhatIsNoString(String value) {
    expect(create(value, SURVEY), keyInvalid());
    assertThat(missions()).isZero();
  }

  @Test
  void takesKeysOfUpTo255Characters() {
    create("k".repeat(255), SURVEY).expect(201);
    expect(create("k".repeat(256), SURVEY), keyInvalid());
  }

  @Test
  void givesEveryCallerKeysOfTheirOwn() {
    create(key, SURVEY).expect(201);

    assertThat(isReplay(create(colleague(), key, SURVEY).expect(201))).isFalse();
  }

  @Test
  void answersAnOldRevisionWith412AndDoesNotKeepIt() {
    for (int i = 0; i < 2; i++) {
      Reply refused =
          api.send(
              "PATCH",
              project.location(),
              "{\"name\":\"Dock\"}",
              Api.KEY,
              key,
              "If-Match",
              "\"7\"");
      refused.expectProblem(412, "concurrency.version_mismatch");
      assertThat(isReplay(refused)).isFalse();
    }
  }
}
