package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The mobile contract: a UUID v4 on every write, unique per caller; errors are kept like successes.
 */
class MobileContractTest extends ContractFacts {
  MobileContractTest() {
    super(PlanningServer.under("mobile"));
  }

  @Override
  Refused mismatch() {
    return new Refused(409, "IDEMPOTENCY_PAYLOAD_MISMATCH");
  }

  @Override
  Refused inFlight() {
    return new Refused(409, "CONCURRENT_REQUEST");
  }

  @Override
  Refused keyInvalid() {
    return new Refused(400, "IDEMPOTENCY_KEY_INVALID");
  }

  @Override
  Refused bodyTooLarge() {
    return new Refused(413, "REQUEST_BODY_TOO_LARGE");
  }

  @Override
  Refused bodyRefused() {
    return new Refused(400, "REQUEST_BODY_REFUSED");
  }

  @Override
  String codeOf(Reply refused) {
    assertThat(refused.header("Content-Type")).isEqualTo("application/json");
    assertThat(refused.json().at("/error/message").asString()).isNotEmpty();
    return refused.json().at("/error/code").asString();
  }

  @Test
  void refusesAWriteWithoutAKey() {
    expectKeyRequired(new Refused(400, "IDEMPOTENCY_KEY_REQUIRED"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "order-7",
        "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        "018f4e6c-7d1a-7c3e-9b2a-3f1e5d7c9a10",
        "00000000-0000-0000-0000-000000000000",
        "{9b2d7a34-5c1e-4f60-8a7b-2d3c4e5f6a7b}",
        "9b2d7a345c1e4f608a7b2d3c4e5f6a7b"
      })
  void refusesAKeyThatIsNoUuidOfVersion4(String other) {
    expect(create(other, SURVEY), keyInvalid());
    assertThat(missions()).isZero();
  }

  @Test
  void readsAUuidInEitherCase() {
    Reply first = create(key, SURVEY).expect(201);

    expectReplay(first, create(key.toUpperCase(Locale.ROOT), SURVEY));
  }

  @Test
  void wantsAKeyForOneOperationOnWhateverRoute() {
    create(key, SURVEY).expect(201);

    expect(api.post("/v1/projects", "{\"name\":\"Dock\"}", Api.KEY, key), mismatch());
  }

  @Test
  void givesEveryUserKeysOfTheirOwn() {
    create(key, SURVEY).expect(201);

    assertThat(isReplay(create(colleague(), key, SURVEY).expect(201))).isFalse();
  }

  @Test
  void keepsEveryError() {
    String nowhere = "/v1/projects/" + Api.randomId() + "/missions";
    Reply missing = api.post(nowhere, SURVEY, Api.KEY, key);

    missing.expectProblem(404, "planning.not_found");
    expectReplay(missing, api.post(nowhere, SURVEY, Api.KEY, key));
  }
}
