package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The stripe contract: keys on POST only, one scope per account, every answer kept. */
class StripeContractTest extends ContractFacts {
  StripeContractTest() {
    super(PlanningServer.under("stripe"));
  }

  @Override
  Refused mismatch() {
    return new Refused(400, "idempotency_error");
  }

  @Override
  Refused inFlight() {
    return new Refused(409, "idempotency_key_in_use");
  }

  @Override
  Refused keyInvalid() {
    return new Refused(400, "idempotency_key_invalid");
  }

  @Override
  Refused bodyTooLarge() {
    return new Refused(413, "request_body_too_large");
  }

  @Override
  Refused bodyRefused() {
    return new Refused(400, "request_body_refused");
  }

  @Override
  String codeOf(Reply refused) {
    assertThat(refused.header("Content-Type")).isEqualTo("application/json");
    assertThat(refused.json().at("/error/message").asString()).isNotEmpty();
    String type = refused.json().at("/error/type").asString();
    return refused.json().at("/error/code").asString(type);
  }

  @Override
  boolean isReplay(Reply reply) {
    return reply.header("Idempotent-Replayed").equals("true");
  }

  @Test
  void executesAWriteWithoutAKeyAsOftenAsItComes() {
    expectKeyOptional();
  }

  @Test
  void takesKeysOfUpTo255Characters() {
    create("k".repeat(255), SURVEY).expect(201);
    expect(create("k".repeat(256), SURVEY), keyInvalid());
  }

  @Test
  void hasNoKeysButOnPost() {
    for (String name : List.of("Dock", "Pier")) {
      String body = "{\"name\":\"" + name + "\"}";
      api.send("PATCH", project.location(), body, Api.KEY, key).expect(200);
    }

    assertThat(api.tag(project)).isEqualTo("\"3\"");
    assertThat(records()).isZero();
  }

  @Test
  void wantsAKeyForOneOperationOfTheAccount() {
    Reply first = create(key, SURVEY).expect(201);

    expect(api.post("/v1/projects", "{\"name\":\"Dock\"}", Api.KEY, key), mismatch());
    expectReplay(first, create(colleague(), key, SURVEY));
  }

  @Test
  void keepsThatSomethingIsMissing() {
    String nowhere = "/v1/projects/" + Api.randomId() + "/missions";
    Reply missing = api.post(nowhere, SURVEY, Api.KEY, key);

    missing.expectProblem(404, "planning.not_found");
    expectReplay(missing, api.post(nowhere, SURVEY, Api.KEY, key));
  }
}
