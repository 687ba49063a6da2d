package dev.once.spring;

import static dev.once.spring.Api.wish;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.spring.Api.Answer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The claim, the writes of the services and the answer are one commit, or nothing. */
@OnEachServer
class TransactionalRouteTest {
  @Parameter Class<?> server = Servers.OnTomcat.class;

  @SuppressWarnings("NullAway.Init")
  private App app;

  @SuppressWarnings("NullAway.Init")
  private Api api;

  @BeforeParameterizedClassInvocation
  void start() {
    PGSimpleDataSource database = App.newDatabase();
    JdbcClient.create(database)
        .sql("CREATE TABLE deferred_orders (item text UNIQUE DEFERRABLE INITIALLY DEFERRED)")
        .update();
    app = App.startOn(server, Shop.class, database);
    api = app.api();
  }

  @AfterParameterizedClassInvocation
  void stop() {
    app.close();
  }

  @Test
  void keepsARefusalWithoutTheWritesThatLedToIt() {
    api.order("one", "clock");

    Answer refused = api.order("two", "clock");
    Answer replayed = api.order("two", "clock");

    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.body()).contains("there is such an order");
    assertThat(replayed.content()).isEqualTo(refused.content());
    assertThat(replayed.replayed()).isTrue();
    assertThat(app.orders("clock")).isEqualTo(1);
  }

  @Test
  void keepsARefusalOfAHandlerWhoseStatementBrokeTheTransaction() {
    api.order("three", "radio");

    Answer refused = api.post("/shops/1/orders/direct", "direct", wish("radio"));

    assertThat(refused.status()).isEqualTo(409);
    assertThat(api.post("/shops/1/orders/direct", "direct", wish("radio")).replayed()).isTrue();
  }

  @Test
  void doesNotSendASuccessAfterAStatementBrokeTheTransaction() {
    api.order("four", "phone");

    Answer answer = api.post("/shops/1/orders/swallowed", "swallowed", wish("phone"));

    assertThat(answer.status()).isEqualTo(500);
    assertThat(app.records("swallowed")).isZero();
  }

  @Test
  void keepsNothingOfAHandlerThatFails() {
    Answer first = api.post("/shops/1/orders/failing", "fail", wish("vase"));
    Answer second = api.post("/shops/1/orders/failing", "fail", wish("vase"));

    assertThat(first.status()).isEqualTo(500);
    assertThat(second.status()).isEqualTo(500);
    assertThat(second.replayed()).isFalse();
    assertThat(app.orders("vase")).isZero();
    assertThat(app.records("fail")).isZero();
  }

  @Test
  void keepsWhatAHandlerWroteBesideAServiceThatFailed() {
    Answer first = api.post("/shops/1/orders/with-fallback", "fallback", wish("sofa"));

    assertThat(first.status()).isEqualTo(200);
    assertThat(first.body()).isEqualTo("without extras");
    assertThat(app.orders("sofa")).isEqualTo(1);
    assertThat(app.orders("sofa with extras")).isZero();
    assertThat(api.post("/shops/1/orders/with-fallback", "fallback", wish("sofa")).replayed())
        .isTrue();
  }

  @Test
  void tellsListenersOfAServiceThatFailedThatItWasUndone() {
    api.post("/shops/1/orders/with-fallback", "unannounced", wish("stool"));

    assertThat(app.bean(OrderService.class).announcements())
        .contains("stool with extras is not placed")
        .doesNotContain("stool with extras is placed");
  }

  @Test
  void keepsWhatAServiceWroteAfterOthersFailed() {
    Answer first = api.post("/shops/1/orders/with-alternatives", "colours", wish("kite"));

    assertThat(first.status()).isEqualTo(200);
    assertThat(first.body()).isEqualTo("kite");
    assertThat(app.orders("kite")).isEqualTo(1);
    assertThat(app.orders("kite in red")).isZero();
    assertThat(app.orders("kite in green")).isZero();
    assertThat(api.post("/shops/1/orders/with-alternatives", "colours", wish("kite")).replayed())
        .isTrue();
  }

  @Test
  void doesNotSendASuccessWhoseTransactionWasRolledBack() {
    Answer answer = api.post("/shops/1/orders/rolled-back", "rollback", wish("mirror"));

    assertThat(answer.status()).isEqualTo(500);
    assertThat(app.orders("mirror")).isZero();
    assertThat(app.records("rollback")).isZero();
  }

  @Test
  void keepsNothingWhenTheDatabaseRefusesTheCommit() {
    api.post("/shops/1/orders/deferred", "deferred-1", wish("rug"));

    Answer refused = api.post("/shops/1/orders/deferred", "deferred-2", wish("rug"));

    assertThat(refused.status()).isEqualTo(500);
    assertThat(app.records("deferred-1")).isEqualTo(1);
    assertThat(app.records("deferred-2")).isZero();
  }

  @Test
  void keepsNothingWhenTheConnectionBreaksMeanwhile() {
    Gate gate = app.gate("bowl");
    CompletableFuture<Answer> first = api.orderSoon("broken", "bowl");
    gate.awaitEntered();
    app.breakTransactions();
    gate.open();

    assertThat(first.join().status()).isGreaterThanOrEqualTo(500);
    assertThat(app.orders("bowl")).isZero();
    assertThat(app.records("broken")).isZero();
    assertThat(api.order("broken", "bowl").status()).isEqualTo(201);
  }

  @Test
  void recordsWhatAServiceDoesInATransactionOfItsOwn() {
    api.post("/shops/1/orders/apart", "apart", wish("jar"));

    Answer second = api.post("/shops/1/orders/apart", "apart", wish("jar"));

    assertThat(second.replayed()).isTrue();
    assertThat(app.orders("jar")).isEqualTo(1);
  }

  /** Why the guide warns of it: only writes that join the transaction are undone with it. */
  @Test
  void cannotUndoWhatAServiceDidInATransactionOfItsOwn() {
    Answer answer = api.post("/shops/1/orders/apart", "apart-fails", wish("bad jar"));

    assertThat(answer.status()).isEqualTo(500);
    assertThat(app.records("apart-fails")).isZero();
    assertThat(app.orders("bad jar")).isEqualTo(1);
  }

  /** As in any transaction that is already open; the guide explains how to set another level. */
  @Test
  void runsServicesAtTheIsolationOfItsTransaction() {
    Answer answer = api.post("/shops/1/orders/isolation", "isolation", "");

    assertThat(answer.body()).isEqualTo("read committed");
  }

  @Test
  void runsServicesAtTheIsolationOfThePool() {
    try (App serializable =
        App.start(
            Shop.class,
            "spring.datasource.hikari.transaction-isolation=TRANSACTION_SERIALIZABLE")) {
      Answer answer = serializable.api().post("/shops/1/orders/isolation", "isolation", "");

      assertThat(answer.body()).isEqualTo("serializable");
    }
  }

  @Test
  void takesFormsWithOtherValuesForOtherRequests() {
    Answer first = form("POST", "form", "item=fork");
    Answer other = form("POST", "form", "item=spoon");

    assertThat(first.status()).isEqualTo(200);
    assertThat(other.body()).contains("idempotency.payload_mismatch");
    assertThat(form("POST", "form", "item=fork").replayed()).isTrue();
  }

  @Test
  void takesFormsThatAFilterHasReadForOtherRequests() {
    Answer first = form("PUT", "put-form", "item=cup");
    Answer other = form("PUT", "put-form", "item=plate");

    assertThat(first.body()).contains("cup");
    assertThat(other.body()).contains("idempotency.payload_mismatch");
  }

  private Answer form(String method, String key, String form) {
    return api.send(
        api.request(method, "/shops/1/orders/form", form)
            .setHeader("Content-Type", "application/x-www-form-urlencoded")
            .header("Idempotency-Key", key));
  }
}
