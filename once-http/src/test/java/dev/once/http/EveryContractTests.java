package dev.once.http;

import static dev.once.http.TestCall.ADA_AT_GLOBEX;
import static dev.once.http.TestCall.CREATE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Recovery;
import dev.once.Terms;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What every contract promises. */
abstract class EveryContractTests extends ContractTests {
  private static final String KEY = CREATE.key().get(0);

  EveryContractTests(Contract contract) {
    super(contract);
  }

  // IK-25
  @Test
  void takesAKeyWithAndWithoutQuotesForOne() {
    api.send(CREATE.withKey(KEY));
    api.send(CREATE.withKey("\"" + KEY + "\""));

    assertThat(api.executions()).isEqualTo(1);
  }

  // IK-23
  @Test
  void refusesTwoKeys() {
    assertThat(api.send(CREATE.withKey(KEY, KEY)).status()).isEqualTo(400);
    assertThat(api.send(CREATE.withKey(KEY + ", " + KEY)).status()).isEqualTo(400);
    assertThat(api.executions()).isZero();
  }

  @Test
  void replaysTheBytesOfTheFirstAnswer() {
    HttpAnswer first = api.send(CREATE);
    HttpAnswer second = api.send(CREATE);

    assertThat(second.status()).isEqualTo(201);
    assertThat(second.bytes()).isEqualTo(first.bytes());
    assertThat(header(second, "Content-Type")).isEqualTo("application/json");
    assertThat(api.executions()).isEqualTo(1);
  }

  // A1
  @Test
  void showsNoTenantTheAnswersOfAnother() {
    api.begin(CREATE);

    assertThat(api.send(CREATE.from(ADA_AT_GLOBEX)).status()).isEqualTo(201);
  }

  @Test
  void refusesAnotherRequestWhileTheFirstIsInFlight() {
    api.begin(CREATE);
    int mismatch = contract.rule(Refusal.PAYLOAD_MISMATCH).status();

    assertThat(api.send(CREATE.withBody("{}")).status()).isEqualTo(mismatch);
    assertThat(api.executions()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void keepsRedirects(int status) {
    assertThat(contract.keptStatuses().contains(status)).isTrue();
  }

  // D7
  @Test
  void tellsCopiesOfARequestInFlightToWaitForTwoSeconds() {
    api.begin(CREATE);

    assertThat(header(api.send(CREATE), "Retry-After")).isEqualTo("2");
    assertThat(header(api.send(CREATE), "Retry-After")).isEqualTo("2");
  }

  // JC-9, JC-4, JC-7
  @ParameterizedTest
  @ValueSource(strings = {"{\"a\":1,\"a\":2}", "[\"\\ud800\"]", "[1e999999999]"})
  void refusesJsonWithoutASingleMeaning(String body) {
    HttpAnswer answer = api.send(CREATE.withBody(body));

    assertThat(answer.status()).isEqualTo(400);
    assertThat(new String(answer.bytes(), UTF_8))
        .contains(contract.rule(Refusal.BODY_REFUSED).code());
    assertThat(api.executions()).isZero();
  }

  // JC-11
  @ParameterizedTest
  @ValueSource(strings = {"", "{", "{\"a\":1}}", "{'a':1}", "\ufeff{}"})
  void leavesMalformedJsonToTheHandlerAndComparesItsBytes(String body) {
    api.send(CREATE.withBody(body));
    api.send(CREATE.withBody(body));
    api.send(CREATE.withBody(body + " "));

    assertThat(api.executions()).isEqualTo(1);
  }

  // A11
  @Test
  void executesNothingWhileTheStoreIsDown() {
    HttpOperation.Answered answered = api.send(CREATE, BrokenStore.without("claim", api.store));

    assertThat(answered.replayStatus()).isEqualTo(ReplayStatus.REFUSED);
    refuses(answered.answer(), Refusal.STORE_UNAVAILABLE);
    assertThat(header(answered.answer(), "Retry-After")).isEqualTo("1");
    assertThat(api.executions()).isZero();
  }

  @Test
  void saysWhenTheAnswerToARetryIsUnknown() {
    try (TestApi impatient =
        new TestApi(withTerms(contract.terms().withMaxCompletionTime(Duration.ZERO)))) {
      HttpOperation.Answered answered =
          impatient.send(CREATE, BrokenStore.without("complete", impatient.store));

      assertThat(answered.replayStatus()).isEqualTo(ReplayStatus.CONFLICT);
      refuses(answered.answer(), Refusal.OUTCOME_UNKNOWN);
      assertThat(header(answered.answer(), "Retry-After")).matches("[1-9][0-9]*");
      assertThat(impatient.executions()).isEqualTo(1);
    }
  }

  @Test
  void saysThatTheAnswerWasTooLargeToKeep() {
    try (TestApi small = new TestApi(withTerms(contract.terms().withMaxPayloadBytes(4)))) {
      assertThat(small.send(CREATE).status()).isEqualTo(201);

      refuses(small.send(CREATE), Refusal.ANSWER_NOT_KEPT);
      assertThat(small.executions()).isEqualTo(1);
    }
  }

  @Test
  void saysThatAnEarlierRequestMayHaveTakenEffect() {
    try (TestApi careful = new TestApi(withTerms(contract.terms().withRecovery(Recovery.ASK)))) {
      careful.begin(CREATE);
      careful.clock.advance(contract.terms().lease());

      refuses(careful.send(CREATE), Refusal.UNCERTAIN);
      assertThat(careful.executions()).isZero();
    }
  }

  // IK-12, PD-1, PD-2, PD-4
  @ParameterizedTest
  @EnumSource(Refusal.class)
  void wordsEveryRefusalAsJsonThatParses(Refusal refusal) {
    String detail = "quote \" backslash \\ line \n umlaut \u00fc";

    HttpAnswer answer =
        api.http.refuse(new RefusedException(refusal, detail, Map.of("current_revision", "\"3\"")));

    refuses(answer, refusal);
    JsonNode body = body(answer);
    assertThat(body.findValuesAsString(body.has("detail") ? "detail" : "message"))
        .containsExactly(detail);
    assertThat(header(answer, "Content-Type")).matches("application/(problem\\+)?json");
    assertThat(header(answer, "Cache-Control")).isEqualTo("no-store");
  }

  private Contract withTerms(Terms terms) {
    return contract.toBuilder().terms(terms).build();
  }

  private void refuses(HttpAnswer answer, Refusal refusal) {
    RefusalRule rule = contract.rule(refusal);
    assertThat(answer.status()).isEqualTo(rule.status());
    assertThat(body(answer).findValuesAsString(codeMember(rule))).containsExactly(rule.code());
  }

  private static String codeMember(RefusalRule rule) {
    return rule.code().equals(ErrorFormat.IDEMPOTENCY_ERROR) ? "type" : "code";
  }
}
