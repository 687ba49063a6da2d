package dev.once.http;

import static dev.once.http.TestCall.BOB;
import static dev.once.http.TestCall.CREATE;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The column "planning" of the table of contracts. */
class PlanningContractTest extends EveryContractTests {
  PlanningContractTest() {
    super(Contract.PLANNING);
  }

  @Test
  void acceptsKeysOf1To128AsciiCharacters() {
    assertThat(accepts("k")).isTrue();
    assertThat(accepts("k".repeat(128))).isTrue();
    assertThat(accepts("k".repeat(129))).isFalse();
  }

  // B4
  @Test
  void executesAWriteWithoutAKey() {
    api.send(CREATE.withKey());
    HttpAnswer second = api.send(CREATE.withKey());

    assertThat(second.status()).isEqualTo(201);
    assertThat(api.executions()).isEqualTo(2);
  }

  // B8
  @Test
  void answersABadKeyWith400() {
    answersWithProblem(api.send(CREATE.withKey("a, b")), 400, "planning.idempotency_key_invalid");
    assertThat(api.executions()).isZero();
  }

  // B6
  @Test
  void scopesAKeyByTenantCallerAndRoute() {
    assertThat(api.operation(CREATE).request().key().scope())
        .isEqualTo("api:POST:/v1/projects/{id}/missions:actor:ada");
    api.send(CREATE);

    assertThat(api.send(CREATE.from(BOB)).status()).isEqualTo(201);
    assertThat(api.executions()).isEqualTo(2);
  }

  // B8
  @Test
  void answersAnotherPayloadWith409() {
    api.send(CREATE);

    answersWithProblem(
        api.send(CREATE.withBody("{}")), 409, "planning.idempotency_replay_conflict");
  }

  @Test
  void answersADuplicateInFlightWith409() {
    api.begin(CREATE);

    HttpAnswer answer = api.send(CREATE);

    answersWithProblem(answer, 409, "idempotency.in_flight");
    assertThat(header(answer, "Retry-After")).isEqualTo("2");
  }

  // B5
  @Test
  void keepsSuccessesAndErrorsOfValidationAndConcurrency() {
    assertThat(kept()).isEqualTo("200-400 409 422");
  }

  // B5
  @Test
  void replaysAValidationFailureAsSuch() {
    api.handler = () -> TestApi.json(422, "{\"name\":\"missing\"}");
    HttpAnswer first = api.send(CREATE);
    api.handler = () -> TestApi.json(201, "{}");

    assertThat(api.send(CREATE)).isEqualTo(first.with("Idempotency-Replayed", "true"));
  }

  // B5
  @Test
  void replaysAConcurrencyFailureAsSuch() {
    TestCall late = CREATE.withIfMatch("\"2\"");
    api.handler = () -> changing(late);
    HttpAnswer first = api.send(late);

    answersWithProblem(first, 409, "planning.concurrency_mismatch");
    assertThat(body(first).at("/current_revision").stringValue()).isEqualTo("\"3\"");
    assertThat(api.send(late)).isEqualTo(first.with("Idempotency-Replayed", "true"));
  }

  @Test
  void executesAgainAfterAnErrorOfTheServer() {
    api.handler = () -> TestApi.json(500, "{}");
    api.send(CREATE);
    api.handler = () -> TestApi.json(201, "{}");

    assertThat(api.send(CREATE).status()).isEqualTo(201);
  }

  // B6
  @Test
  void keepsSuccessesAndErrorsFor24Hours() {
    assertThat(contract.terms().retention()).isEqualTo(Duration.ofHours(24));
    assertThat(contract.terms().failedRetention()).isEqualTo(Duration.ofHours(24));
  }

  // B2
  @Test
  void answersAMissingIfMatchWith428() {
    api.handler = () -> changing(CREATE);

    answersWithProblem(api.send(CREATE), 428, "planning.concurrency_etag_required");
  }

  // B2
  @Test
  void doesNotSupportAnyVersion() {
    TestCall any = CREATE.withIfMatch("*");
    api.handler = () -> changing(any);

    answersWithProblem(api.send(any), 400, "concurrency.if_match_invalid");
  }

  // B12
  @Test
  void replaysToTheSameRevisionInTheQueryOrTheBody() {
    TestCall change = CREATE.withIfMatch("\"3\"").withBody("{}");
    api.handler = () -> changing(change);
    HttpAnswer first = api.send(change);

    assertThat(api.send(change.withIfMatch().withQuery("if_match=3")))
        .isEqualTo(first.with("Idempotency-Replayed", "true"));
    assertThat(api.send(change.withIfMatch().withBody("{\"if_match\":3}")))
        .isEqualTo(first.with("Idempotency-Replayed", "true"));
    answersWithProblem(
        api.send(change.withIfMatch().withQuery("if_match=4")),
        409,
        "planning.idempotency_replay_conflict");
  }
}
