package dev.once.http;

import static dev.once.http.TestCall.BOB;
import static dev.once.http.TestCall.CREATE;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The column "ietf" of the table of contracts, and the statements IK of the draft. */
class IetfContractTest extends EveryContractTests {
  IetfContractTest() {
    super(Contract.IETF);
  }

  // IK-1, IK-20, IK-22
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"8e03978e-40d5-43e8-bc93-6894a57f9324\"",
        "\"a b, c; d\"",
        "\"a\\\"b\\\\c\"",
        "  \"a\"  ",
        "\"a\";v=1;w",
      })
  void acceptsAStructuredString(String key) {
    assertThat(accepts(key)).isTrue();
  }

  // IK-25
  @ParameterizedTest
  @ValueSource(strings = {"8e03978e-40d5-43e8-bc93-6894a57f9324", "order_42", "'a'", "a:b=c"})
  void acceptsABareKey(String key) {
    assertThat(accepts(key)).isTrue();
  }

  // IK-25
  @ParameterizedTest
  @ValueSource(strings = {"a;v=1", "a b", "a,b", "a\\b", "a\"b"})
  void refusesABareKeyThatCouldBeSomethingElse(String key) {
    answersWithProblem(api.send(CREATE.withKey(key)), 400, "idempotency.key_invalid");
  }

  // IK-21
  @Test
  void acceptsKeysOf1To255Characters() {
    assertThat(accepts("\"" + "k".repeat(255) + "\"")).isTrue();
    assertThat(accepts("\"" + "k".repeat(256) + "\"")).isFalse();
  }

  // IK-6, IK-11
  @Test
  void answersAMissingKeyWith400() {
    HttpAnswer answer = api.send(CREATE.withKey());

    answersWithProblem(answer, 400, "idempotency.key_required");
    assertThat(title(answer)).isEqualTo("Idempotency-Key is missing");
    assertThat(header(answer, "Content-Language")).isEqualTo("en");
  }

  @Test
  void requiresNoKeyOnRoutesThatWereNotChosen() {
    Route other = Route.of("/v1/pings", Route.Mode.LEASED);

    assertThat(api.send(CREATE.withRoute(other, "/v1/pings").withKey()).status()).isEqualTo(201);
  }

  // IK-13
  @Test
  void scopesAKeyByTenantCallerAndRoute() {
    api.send(CREATE);

    assertThat(api.send(CREATE.from(BOB)).status()).isEqualTo(201);
    assertThat(api.executions()).isEqualTo(2);
  }

  // IK-7, IK-11
  @Test
  void answersAnotherPayloadWith422() {
    api.send(CREATE);

    HttpAnswer answer = api.send(CREATE.withBody("{}"));

    answersWithProblem(answer, 422, "idempotency.payload_mismatch");
    assertThat(title(answer)).isEqualTo("Idempotency-Key is already used");
  }

  // IK-8, IK-11
  @Test
  void answersADuplicateInFlightWith409() {
    api.begin(CREATE);

    HttpAnswer answer = api.send(CREATE);

    answersWithProblem(answer, 409, "idempotency.in_flight");
    assertThat(title(answer)).isEqualTo("A request is outstanding for this Idempotency-Key");
  }

  // IK-5
  @Test
  void replaysSuccessesAndErrorsWithAMarker() {
    api.handler = () -> TestApi.json(404, "{}");
    HttpAnswer first = api.send(CREATE);

    assertThat(api.send(CREATE)).isEqualTo(first.with("Idempotency-Replayed", "true"));
    assertThat(kept()).isEqualTo("200-400 402 404-405 407 409-411 413-424 426-427 430-499");
  }

  // IK-3
  @Test
  void keepsSuccessesAndErrorsFor24Hours() {
    assertThat(contract.terms().retention()).isEqualTo(Duration.ofHours(24));
    assertThat(contract.terms().failedRetention()).isEqualTo(Duration.ofHours(24));
  }

  // CR-6
  @Test
  void answersAnotherVersionWith412AndForgetsIt() {
    TestCall late = CREATE.withIfMatch("\"2\"");
    api.handler = () -> changing(late);

    answersWithProblem(api.send(late), 412, "concurrency.version_mismatch");
    assertThat(header(api.send(late), "Idempotency-Replayed")).isEqualTo("absent");
  }

  // CR-11
  @Test
  void answersAMissingIfMatchWith428() {
    api.handler = () -> changing(CREATE);

    answersWithProblem(api.send(CREATE), 428, "concurrency.etag_required");
  }

  // CR-5
  @Test
  void acceptsAnyVersion() {
    TestCall any = CREATE.withIfMatch("*");
    api.handler = () -> changing(any);

    assertThat(api.send(any).status()).isEqualTo(200);
  }

  private static String title(HttpAnswer answer) {
    return body(answer).at("/title").stringValue();
  }
}
