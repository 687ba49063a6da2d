package dev.once.http;

import static dev.once.http.TestCall.ADA_AT_GLOBEX;
import static dev.once.http.TestCall.BOB;
import static dev.once.http.TestCall.CREATE;
import static dev.once.http.TestCall.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The column "stripe" of the table of contracts, and the statements ST about Stripe. */
class StripeContractTest extends EveryContractTests {
  StripeContractTest() {
    super(Contract.STRIPE);
  }

  // ST-7
  @Test
  void acceptsKeysOf1To255Characters() {
    assertThat(accepts("k")).isTrue();
    assertThat(accepts("k".repeat(255))).isTrue();
    assertThat(accepts("k".repeat(256))).isFalse();
  }

  @Test
  void executesAWriteWithoutAKey() {
    api.send(CREATE.withKey());
    api.send(CREATE.withKey());

    assertThat(api.executions()).isEqualTo(2);
  }

  // ST-5
  @Test
  void ignoresKeysOnAllButPosts() {
    for (String method : new String[] {"GET", "DELETE", "PUT", "PATCH"}) {
      assertThat(api.http.covers(method, CREATE.route())).as(method).isFalse();
    }
    assertThat(api.http.covers("POST", CREATE.route())).isTrue();
  }

  @Test
  void answersABadKeyWith400() {
    JsonNode error = error(api.send(CREATE.withKey("a, b")), 400);

    assertThat(error.at("/type").stringValue()).isEqualTo("invalid_request_error");
    assertThat(error.at("/code").stringValue()).isEqualTo("idempotency_key_invalid");
  }

  // ST-6
  @Test
  void scopesAKeyByAccount() {
    assertThat(api.operation(CREATE).request().key().scope()).isEqualTo("api");
    api.send(CREATE);

    assertThat(api.send(CREATE.from(ADA_AT_GLOBEX)).status()).isEqualTo(201);
    assertThat(api.send(CREATE.withRoute(PAYMENTS, "/v1/payments")).status()).isEqualTo(400);
    assertThat(header(api.send(CREATE.from(BOB)), "Idempotent-Replayed")).isEqualTo("true");
    assertThat(api.executions()).isEqualTo(2);
  }

  // ST-6
  @Test
  void answersAnotherPayloadWith400AndATypeOfItsOwn() {
    api.send(CREATE);

    JsonNode error = error(api.send(CREATE.withBody("{}")), 400);

    assertThat(error.at("/type").stringValue()).isEqualTo("idempotency_error");
    assertThat(error.at("/code").isMissingNode()).isTrue();
  }

  @Test
  void answersADuplicateInFlightWith409() {
    api.begin(CREATE);

    HttpAnswer answer = api.send(CREATE);

    JsonNode error = error(answer, 409);
    assertThat(error.at("/type").stringValue()).isEqualTo("invalid_request_error");
    assertThat(error.at("/code").stringValue()).isEqualTo("idempotency_key_in_use");
    assertThat(header(answer, "Retry-After")).isEqualTo("2");
  }

  @Test
  void answersAStoreThatIsDownWith503() {
    HttpAnswer answer = api.send(CREATE, BrokenStore.without("claim", api.store)).answer();

    assertThat(error(answer, 503).at("/type").stringValue()).isEqualTo("api_error");
  }

  // ST-1, ST-2
  @Test
  void keepsEverythingOnceExecutionBegan() {
    assertThat(kept()).isEqualTo("200-400 402-428 430-599");
  }

  // ST-3, PV-1
  @Test
  void replaysAnErrorOfTheServerWithAMarker() {
    api.handler = () -> TestApi.json(500, "{}");
    HttpAnswer first = api.send(CREATE);

    assertThat(header(first, "Idempotent-Replayed")).isEqualTo("absent");
    assertThat(api.send(CREATE)).isEqualTo(first.with("Idempotent-Replayed", "true"));
  }

  // ST-4
  @Test
  void keepsSuccessesAndErrorsFor24Hours() {
    assertThat(contract.terms().retention()).isEqualTo(Duration.ofHours(24));
    assertThat(contract.terms().failedRetention()).isEqualTo(Duration.ofHours(24));
  }

  private static JsonNode error(HttpAnswer answer, int status) {
    assertThat(answer.status()).isEqualTo(status);
    assertThat(header(answer, "Content-Type")).isEqualTo("application/json");
    assertThat(body(answer).propertyNames()).containsExactly("error");
    JsonNode error = body(answer).at("/error");
    assertThat(error.at("/message").stringValue()).isNotBlank();
    assertThat(error.at("/doc_url").stringValue()).startsWith("https://once.dev/problems/");
    return error;
  }
}
