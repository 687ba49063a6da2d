package dev.once.http;

import static dev.once.http.TestCall.BOB;
import static dev.once.http.TestCall.CREATE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Headers;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The column "async" of the table of contracts. */
class AsyncContractTest extends EveryContractTests {
  private static final String KEY = CREATE.key().get(0);

  AsyncContractTest() {
    super(Contract.ASYNC);
  }

  @Test
  void acceptsKeysOf1To128AsciiCharacters() {
    assertThat(accepts("k")).isTrue();
    assertThat(accepts("k".repeat(128))).isTrue();
    assertThat(accepts("k".repeat(129))).isFalse();
  }

  @Test
  void requiresAKeyOnChosenRoutes() {
    answersWithProblem(api.send(CREATE.withKey()), 400, "idempotency.key_required");
    answersWithProblem(api.send(CREATE.withKey("a\tb")), 400, "idempotency.key_invalid");
  }

  @Test
  void ignoresKeysOnOtherRoutes() {
    Route other = Route.of("/v1/pings", Route.Mode.LEASED);

    api.send(CREATE.withRoute(other, "/v1/pings"));
    HttpAnswer second = api.send(CREATE.withRoute(other, "/v1/pings"));

    assertThat(api.executions()).isEqualTo(2);
    assertThat(header(second, "X-Idempotency-Status")).isEqualTo("absent");
  }

  // E2
  @Test
  void scopesAKeyByMethodRouteAndActor() {
    assertThat(api.operation(CREATE).request().key().scope())
        .isEqualTo("api:POST:/v1/projects/{id}/missions:actor:ada");
    api.send(CREATE);

    assertThat(api.send(CREATE.from(BOB)).status()).isEqualTo(201);
  }

  // E10
  @Test
  void marksTheFirstAnswerAndItsReplays() {
    HttpAnswer first = api.send(CREATE);
    HttpAnswer second = api.send(CREATE);

    assertThat(header(first, "X-Idempotency-Status")).isEqualTo("MISS");
    assertThat(header(first, "X-Idempotency-Key")).isEqualTo(KEY);
    assertThat(header(second, "X-Idempotency-Status")).isEqualTo("HIT");
    assertThat(header(second, "X-Idempotency-Key")).isEqualTo(KEY);
    assertThat(header(second, "Idempotency-Replayed")).isEqualTo("absent");
    assertThat(second.bytes()).isEqualTo(first.bytes());
  }

  // E8
  @Test
  void removesSecretsAndPhoneNumbersBeforeAnAnswerIsStored() {
    AnswerCodec codec = new AnswerCodec(Contract.ASYNC.redaction());
    byte[] body = "{\"phone\":\"+4915112345678\",\"token\":\"s3cret\"}".getBytes(UTF_8);
    Headers json = Headers.NONE.with("Content-Type", "application/json");

    HttpAnswer replayed = codec.decode(codec.encode(HttpAnswer.of(201, json, body)));

    assertThat(new String(replayed.bytes(), UTF_8))
        .isEqualTo("{\"phone\":\"+***********78\",\"token\":\"[redacted]\"}");
  }

  // E3
  @Test
  void answersAnotherPayloadWith409() {
    api.send(CREATE);

    HttpAnswer answer = api.send(CREATE.withBody("{}"));

    answersWithProblem(answer, 409, "idempotency.payload_mismatch");
    assertThat(header(answer, "X-Idempotency-Status")).isEqualTo("CONFLICT");
    assertThat(header(answer, "X-Idempotency-Key")).isEqualTo(KEY);
  }

  // E3
  @Test
  void answersADuplicateInFlightWith202AndALink() {
    api.begin(CREATE);

    HttpAnswer answer = api.send(CREATE);

    assertThat(answer.status()).isEqualTo(202);
    assertThat(header(answer, "Content-Type")).isEqualTo("application/json");
    assertThat(header(answer, "X-Idempotency-Status")).isEqualTo("IN_PROGRESS");
    assertThat(header(answer, "Retry-After")).isEqualTo("2");
    assertThat(header(answer, "Location")).startsWith("/idempotency/operations/");
    assertThat(body(answer).at("/state").stringValue()).isEqualTo("in_progress");
    assertThat(body(answer).at("/code").stringValue()).isEqualTo("idempotency.in_flight");
    assertThat(body(answer).at("/operation").stringValue()).isEqualTo(header(answer, "Location"));
  }

  @Test
  void leadsFromTheLinkToTheState() {
    Operations operations = new Operations(contract, api.store);
    api.begin(CREATE);
    String link = header(api.send(CREATE), "Location");

    HttpAnswer state =
        operations
            .idIn(link)
            .map(id -> operations.state(id, CREATE.key(), CREATE.caller()))
            .orElseThrow();

    assertThat(state.status()).isEqualTo(200);
    assertThat(body(state).at("/state").stringValue()).isEqualTo("in_progress");
  }

  // E3
  @Test
  void keepsSuccessesRedirectsAndFinalRefusals() {
    assertThat(kept()).isEqualTo("200-400 402 404-405 407 409-411 413-424 426-427 430-499");
  }

  @Test
  void keepsSuccessesAndErrorsFor24Hours() {
    assertThat(contract.terms().retention()).isEqualTo(Duration.ofHours(24));
    assertThat(contract.terms().failedRetention()).isEqualTo(Duration.ofHours(24));
  }

  @Test
  void saysMissWhenNothingIsKnownAboutTheKey() {
    HttpAnswer answer = api.send(CREATE, BrokenStore.without("claim", api.store)).answer();

    assertThat(answer.status()).isEqualTo(503);
    assertThat(header(answer, "X-Idempotency-Status")).isEqualTo("MISS");
  }
}
