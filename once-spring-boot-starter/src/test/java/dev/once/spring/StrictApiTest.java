package dev.once.spring;

import static dev.once.spring.Api.ORDERS;
import static dev.once.spring.Api.wish;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.spring.Api.Answer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

/** What an API with the starter and a caller resolver does without any setting. */
@OnEachServer
class StrictApiTest {
  @Parameter Class<?> server = Servers.OnTomcat.class;

  @SuppressWarnings("NullAway.Init")
  private App app;

  @SuppressWarnings("NullAway.Init")
  private Api api;

  @BeforeParameterizedClassInvocation
  void start() {
    app = App.startOn(server, Shop.class, "once.http.max-body=1KB");
    api = app.api();
  }

  @AfterParameterizedClassInvocation
  void stop() {
    app.close();
  }

  @Test
  void executesOnceAndReplaysTheAnswer() {
    Answer first = api.order("first", "book");
    Answer second = api.order("first", "book");

    assertThat(first.status()).isEqualTo(201);
    assertThat(first.header("Location")).startsWith("/shops/1/orders/");
    assertThat(first.replayed()).isFalse();
    assertThat(second.content()).isEqualTo(first.content());
    assertThat(second.replayed()).isTrue();
    assertThat(app.orders("book")).isEqualTo(1);
  }

  @Test
  void takesTheSameJsonInOtherWordsForTheSameRequest() {
    api.order("spelling", "pen");

    Answer retry = api.post(ORDERS, "spelling", "{ \"item\" : \"\\u0070en\" }");

    assertThat(retry.replayed()).isTrue();
  }

  @Test
  void refusesAnotherRequestUnderTheKey() {
    api.order("reused", "lamp");

    Answer other = api.order("reused", "desk");

    assertThat(other.status()).isEqualTo(409);
    assertThat(other.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(other.body()).contains("\"code\":\"idempotency.payload_mismatch\"");
    assertThat(app.orders("desk")).isZero();
  }

  @Test
  void refusesARequestWithoutAKey() {
    Answer answer = api.send(api.request("POST", ORDERS, wish("chair")));

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body()).contains("\"code\":\"idempotency.key_required\"");
    assertThat(app.orders("chair")).isZero();
  }

  @Test
  void refusesAKeyThatIsTooLong() {
    Answer answer = api.order("k".repeat(129), "table");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body()).contains("\"code\":\"idempotency.key_invalid\"");
    assertThat(app.orders("table")).isZero();
  }

  @Test
  void refusesAnUnauthenticatedClient() {
    Answer answer = api.as("").order("anonymous", "door");

    assertThat(answer.status()).isEqualTo(401);
    assertThat(app.records("anonymous")).isZero();
  }

  @Test
  void refusesABodyThatIsTooLarge() {
    Answer answer = api.order("large", "x".repeat(2_000));

    assertThat(answer.status()).isEqualTo(413);
    assertThat(answer.body()).contains("\"code\":\"request.body_too_large\"");
    assertThat(app.records("large")).isZero();
  }

  @Test
  void tellsADuplicateThatTheFirstRequestHasNotEnded() {
    Gate gate = app.gate("sofa");
    CompletableFuture<Answer> first = api.orderSoon("held", "sofa");
    gate.awaitEntered();

    Answer duplicate = api.order("held", "sofa");
    gate.open();

    assertThat(duplicate.status()).isEqualTo(409);
    assertThat(duplicate.body()).contains("\"code\":\"idempotency.in_flight\"");
    assertThat(duplicate.header("Retry-After")).isEqualTo("2");
    assertThat(first.join().status()).isEqualTo(201);
    assertThat(app.orders("sofa")).isEqualTo(1);
  }

  @Test
  void keepsTenantsApart() {
    Answer ours = api.order("same", "ours");

    Answer theirs = api.as("other/bob").order("same", "theirs");

    assertThat(ours.status()).isEqualTo(201);
    assertThat(theirs.status()).isEqualTo(201);
    assertThat(theirs.replayed()).isFalse();
  }

  @Test
  void hasTheWholePatternInItsScope() {
    api.post("/shops/7/orders", "scope", wish("globe"));

    assertThat(app.scopeOf("scope")).isEqualTo("api:/shops/{shop}/orders");
  }

  @Test
  void replaysTheErrorPageOfABodyThatCannotBeRead() {
    Answer first = api.post(ORDERS, "malformed", "[1, 2]");
    Answer second = api.post(ORDERS, "malformed", "[1, 2]");

    assertThat(first.status()).isEqualTo(400);
    assertThat(first.body()).contains("\"error\":\"Bad Request\"");
    assertThat(second.content()).isEqualTo(first.content());
    assertThat(second.replayed()).isTrue();
  }

  @Test
  void leavesWhatNoHandlerTakesToSpring() {
    Answer path = api.post("/nowhere", "unknown", "{}");
    Answer method =
        api.send(api.request("DELETE", ORDERS, "").header("Idempotency-Key", "unknown"));
    Answer type =
        api.send(
            api.request("POST", ORDERS, "")
                .header("Idempotency-Key", "unknown")
                .header("Content-Type", "text/csv"));

    assertThat(path.status()).isEqualTo(404);
    assertThat(method.status()).isEqualTo(405);
    assertThat(type.status()).isEqualTo(415);
    assertThat(app.records("unknown")).isZero();
  }

  @Test
  void leavesReadsAlone() {
    assertThat(api.as("").get(ORDERS).body()).isEqualTo("orders");
  }
}
