package dev.once.http;

import static dev.once.http.TestCall.BOB;
import static dev.once.http.TestCall.CREATE;
import static dev.once.http.TestCall.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The column "mobile" of the table of contracts. */
class MobileContractTest extends EveryContractTests {
  MobileContractTest() {
    super(Contract.MOBILE);
  }

  // D1
  @ParameterizedTest
  @ValueSource(
      strings = {
        "8e03978e-40d5-43e8-bc93-6894a57f9324",
        "00000000-0000-4000-8000-000000000000",
        "ffffffff-ffff-4fff-bfff-ffffffffffff",
        "\"8e03978e-40d5-43e8-bc93-6894a57f9324\"",
      })
  void acceptsUuidsOfVersion4(String key) {
    assertThat(accepts(key)).isTrue();
  }

  // D1
  @ParameterizedTest
  @ValueSource(
      strings = {
        "8e03978e-40d5-13e8-bc93-6894a57f9324", // version 1
        "8e03978e-40d5-73e8-bc93-6894a57f9324", // version 7
        "8e03978e-40d5-43e8-cc93-6894a57f9324", // another variant
        "8e03978e40d543e8bc936894a57f9324",
        "{8e03978e-40d5-43e8-bc93-6894a57f9324}",
        "8e03978e-40d5-43e8-bc93-6894a57f932",
        "8e03978e-40d5-43e8-bc93-6894a57f93245",
        "order-42",
      })
  void refusesAnythingElse(String key) {
    HttpAnswer answer = api.send(CREATE.withKey(key));

    answersWithError(answer, 400, "IDEMPOTENCY_KEY_INVALID");
    assertThat(api.executions()).isZero();
  }

  @Test
  void takesAUuidInEitherCaseForOneKey() {
    api.send(CREATE);
    api.send(CREATE.withKey("8E03978E-40D5-43E8-BC93-6894A57F9324"));

    assertThat(api.executions()).isEqualTo(1);
  }

  @Test
  void requiresAKeyOnEveryWrite() {
    answersWithError(api.send(CREATE.withKey()), 400, "IDEMPOTENCY_KEY_REQUIRED");
    answersWithError(
        api.send(CREATE.withMethod("DELETE").withKey()), 400, "IDEMPOTENCY_KEY_REQUIRED");
  }

  // D3
  @Test
  void scopesAKeyByUser() {
    assertThat(api.operation(CREATE).request().key().scope()).isEqualTo("api:actor:ada");
    api.send(CREATE);

    assertThat(api.send(CREATE.from(BOB)).status()).isEqualTo(201);
    assertThat(api.send(CREATE.withRoute(PAYMENTS, "/v1/payments")).status()).isEqualTo(409);
    assertThat(api.executions()).isEqualTo(2);
  }

  @Test
  void answersAnotherPayloadWith409() {
    api.send(CREATE);

    answersWithError(api.send(CREATE.withBody("{}")), 409, "IDEMPOTENCY_PAYLOAD_MISMATCH");
  }

  // D2
  @Test
  void answersADuplicateInFlightWith409() {
    api.begin(CREATE);

    HttpAnswer answer = api.send(CREATE);

    answersWithError(answer, 409, "CONCURRENT_REQUEST");
    assertThat(header(answer, "Retry-After")).isEqualTo("2");
  }

  @Test
  void keepsEverything() {
    assertThat(kept()).isEqualTo("200-599");
  }

  // D2
  @Test
  void replaysAFailure() {
    api.handler = () -> TestApi.json(500, "{}");
    HttpAnswer first = api.send(CREATE);

    assertThat(api.send(CREATE)).isEqualTo(first.with("Idempotency-Replayed", "true"));
    assertThat(api.executions()).isEqualTo(1);
  }

  // D3
  @Test
  void keepsSuccessesAndErrorsFor24Hours() {
    assertThat(contract.terms().retention()).isEqualTo(Duration.ofHours(24));
    assertThat(contract.terms().failedRetention()).isEqualTo(Duration.ofHours(24));
  }

  @Test
  void requiresNoIfMatch() {
    assertThatCode(() -> IfMatch.of(contract, CREATE.ifMatch()).require(EntityTag.strong("3")))
        .doesNotThrowAnyException();
  }

  private static void answersWithError(HttpAnswer answer, int status, String code) {
    assertThat(answer.status()).isEqualTo(status);
    assertThat(header(answer, "Content-Type")).isEqualTo("application/json");
    assertThat(body(answer).propertyNames()).containsExactly("error");
    assertThat(body(answer).at("/error").propertyNames()).containsExactly("code", "message");
    assertThat(body(answer).at("/error/code").stringValue()).isEqualTo(code);
    assertThat(body(answer).at("/error/message").stringValue()).isNotBlank();
  }
}
