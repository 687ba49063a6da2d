package dev.once.http;

import static dev.once.http.TestCall.ADA_AT_GLOBEX;
import static dev.once.http.TestCall.BOB;
import static dev.once.http.TestCall.CREATE;
import static dev.once.http.TestCall.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The column "strict" of the table of contracts. */
class StrictContractTest extends EveryContractTests {
  StrictContractTest() {
    super(Contract.STRICT);
  }

  // A4
  @Test
  void acceptsKeysOf1To128AsciiCharacters() {
    assertThat(accepts("k")).isTrue();
    assertThat(accepts("k".repeat(128))).isTrue();
    assertThat(accepts(" !#$%&'()*+-./:;<=>?@[]^_`{|}~ ")).isTrue();
    assertThat(accepts("k".repeat(129))).isFalse();
  }

  // A4
  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE"})
  void requiresAKeyOnEveryWrite(String method) {
    HttpAnswer answer = api.send(CREATE.withMethod(method).withKey());

    answersWithProblem(answer, 400, "idempotency.key_required");
    assertThat(api.executions()).isZero();
  }

  // A3
  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "OPTIONS", "TRACE"})
  void looksForNoKeyOnReads(String method) {
    api.send(CREATE.withMethod(method));
    api.send(CREATE.withMethod(method));

    assertThat(api.executions()).isEqualTo(2);
    assertThat(api.store.find(api.operation(CREATE.withMethod(method)).request().key())).isEmpty();
  }

  @Test
  void answersABadKeyWith400() {
    answersWithProblem(api.send(CREATE.withKey("\u00e9")), 400, "idempotency.key_invalid");
    assertThat(api.executions()).isZero();
  }

  // A5
  @Test
  void scopesAKeyByTenantAndRoute() {
    assertThat(api.operation(CREATE).request().key().scope())
        .isEqualTo("api:/v1/projects/{id}/missions");
    api.send(CREATE);

    assertThat(api.send(CREATE.from(ADA_AT_GLOBEX)).status()).isEqualTo(201);
    assertThat(api.send(CREATE.withRoute(PAYMENTS, "/v1/payments")).status()).isEqualTo(201);
    assertThat(api.executions()).isEqualTo(3);
  }

  // A5
  @Test
  void refusesTheKeyOfAnotherMethodOrAnotherPath() {
    api.send(CREATE);

    assertThat(api.send(CREATE.withMethod("PUT")).status()).isEqualTo(409);
    assertThat(api.send(CREATE.withPath("/v1/projects/8/missions")).status()).isEqualTo(409);
    assertThat(api.executions()).isEqualTo(1);
  }

  // A5
  @Test
  void replaysTheEqualRequestOfAColleague() {
    HttpAnswer first = api.send(CREATE);

    assertThat(api.send(CREATE.from(BOB))).isEqualTo(first.with("Idempotency-Replayed", "true"));
    assertThat(api.executions()).isEqualTo(1);
  }

  // A6
  @Test
  void replaysStatusHeadersAndBodyWithAMarker() {
    HttpAnswer first = api.send(CREATE);
    HttpAnswer second = api.send(CREATE);

    assertThat(header(first, "Idempotency-Replayed")).isEqualTo("absent");
    assertThat(second).isEqualTo(first.with("Idempotency-Replayed", "true"));
    assertThat(api.executions()).isEqualTo(1);
  }

  // A7
  @Test
  void answersAnotherPayloadWith409() {
    api.send(CREATE);

    HttpAnswer answer = api.send(CREATE.withBody("{}"));

    answersWithProblem(answer, 409, "idempotency.payload_mismatch");
    assertThat(api.executions()).isEqualTo(1);
  }

  @Test
  void answersADuplicateInFlightWith409() {
    api.begin(CREATE);

    HttpAnswer answer = api.send(CREATE);

    answersWithProblem(answer, 409, "idempotency.in_flight");
    assertThat(header(answer, "Retry-After")).isEqualTo("2");
    assertThat(header(answer, "Location")).isEqualTo("absent");
  }

  @Test
  void keepsSuccessesRedirectsAndFinalRefusals() {
    assertThat(kept()).isEqualTo("200-400 402 404-405 407 409-411 413-424 426-427 430-499");
  }

  // A9
  @Test
  void keepsASuccessFor24Hours() {
    api.send(CREATE);

    api.clock.advance(Duration.ofHours(24).minusNanos(1));
    api.send(CREATE);
    assertThat(api.executions()).isEqualTo(1);

    api.clock.advance(Duration.ofNanos(1));
    assertThat(header(api.send(CREATE), "Idempotency-Replayed")).isEqualTo("absent");
    assertThat(api.executions()).isEqualTo(2);
  }

  // A9
  @Test
  void keepsAnErrorFor4Hours() {
    api.handler = () -> TestApi.json(422, "{}");
    api.send(CREATE);

    api.clock.advance(Duration.ofHours(4).minusNanos(1));
    assertThat(header(api.send(CREATE), "Idempotency-Replayed")).isEqualTo("true");

    api.clock.advance(Duration.ofNanos(1));
    assertThat(header(api.send(CREATE), "Idempotency-Replayed")).isEqualTo("absent");
  }

  // CR-11
  @Test
  void answersAMissingIfMatchWith428AndForgetsIt() {
    api.handler = () -> changing(CREATE);

    answersWithProblem(api.send(CREATE), 428, "concurrency.etag_required");
    assertThat(header(api.send(CREATE), "Idempotency-Replayed")).isEqualTo("absent");
    assertThat(header(api.send(CREATE), "Cache-Control")).isEqualTo("no-store");
  }

  @Test
  void takesTheSameRequestWithAnIfMatchForAnotherOne() {
    api.handler = () -> changing(CREATE);
    api.send(CREATE);

    HttpAnswer answer = api.send(CREATE.withIfMatch("\"3\""));

    answersWithProblem(answer, 409, "idempotency.payload_mismatch");
  }

  // A23
  @Test
  void answersAnotherVersionWith409AndRepeatsIt() {
    TestCall late = CREATE.withIfMatch("\"2\"");
    api.handler = () -> changing(late);

    answersWithProblem(api.send(late), 409, "concurrency.version_mismatch");
    assertThat(header(api.send(late), "Idempotency-Replayed")).isEqualTo("true");
    assertThat(body(api.send(late)).at("/current_revision").stringValue()).isEqualTo("\"3\"");
  }

  // B2
  @Test
  void answersAnyVersionWith400() {
    TestCall any = CREATE.withIfMatch("*");
    api.handler = () -> changing(any);

    answersWithProblem(api.send(any), 400, "concurrency.if_match_invalid");
  }

  // CR-12
  @Test
  void replaysAChangeAlthoughItsRevisionIsOldByNow() {
    TestCall change = CREATE.withIfMatch("\"3\"");
    api.handler = () -> changing(change);
    api.send(change);
    api.handler = () -> changing(CREATE.withIfMatch("\"gone\""));

    assertThat(api.send(change).status()).isEqualTo(200);
    assertThat(api.executions()).isEqualTo(1);
  }
}
