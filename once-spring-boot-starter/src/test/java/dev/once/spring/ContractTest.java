package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Recovery;
import dev.once.http.Contract;
import dev.once.spring.Api.Answer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What the settings and annotations change about a contract. */
@OnEachServer
class ContractTest {
  @Configuration(proxyBeanMethods = false)
  @Import({Shop.class, DocumentController.class})
  static class Documents {}

  @Configuration(proxyBeanMethods = false)
  @Import({Shop.class, SlowController.class})
  static class SlowShop {}

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(DocumentController.class)
  static class OneTenant {}

  @Parameter Class<?> server = Servers.OnTomcat.class;

  @Test
  void asksForRevisionsInTheWordsOfStrict() {
    try (App app = App.startOn(server, Documents.class)) {
      Answer missing = put(app, "1", "");
      Answer wildcard = put(app, "2", "*");
      Answer first = put(app, "3", "\"r0\"");
      Answer stale = put(app, "4", "\"r0\"");

      assertThat(missing.status()).isEqualTo(428);
      assertThat(missing.header("Content-Type")).isEqualTo("application/problem+json");
      assertThat(missing.body()).contains("\"code\":\"concurrency.etag_required\"");
      assertThat(wildcard.status()).isEqualTo(400);
      assertThat(wildcard.body()).contains("\"code\":\"concurrency.if_match_invalid\"");
      assertThat(first.status()).isEqualTo(200);
      assertThat(stale.status()).isEqualTo(409);
      assertThat(stale.body()).contains("\"code\":\"concurrency.version_mismatch\"", "r1");
      assertThat(put(app, "4", "\"r0\"").replayed()).isTrue();
      // The record answers before the revision is checked.
      assertThat(put(app, "3", "\"r0\"").content()).isEqualTo(first.content());
    }
  }

  // B12
  @Test
  void readsTheRevisionFromTheQueryOfAnExcludedPathToo() {
    try (App app =
        App.startOn(
            server, Documents.class, "once.contract=planning", "once.http.exclude=/document")) {
      Api api = app.api();

      assertThat(api.send(api.request("PUT", "/document?if_match=r0", "")).status()).isEqualTo(200);
      assertThat(api.send(api.request("PUT", "/document?if_match=r0", "")).body())
          .contains("planning.concurrency_mismatch");
      assertThat(api.send(api.request("PUT", "/document", "")).status()).isEqualTo(428);
    }
  }

  @Test
  void coversChosenRoutesOnlyUnderIetf() {
    try (App app = App.startOn(server, Documents.class, "once.contract=ietf")) {
      Answer stale = put(app, "\"one\"", "\"r7\"");
      Answer optional = app.api().send(app.api().request("POST", "/optional", ""));
      Answer required = app.api().send(app.api().request("POST", "/required", ""));
      Answer notChosen = app.api().send(app.api().request("PATCH", "/not-chosen", ""));

      assertThat(stale.status()).isEqualTo(412);
      assertThat(stale.header("Content-Type")).isEqualTo("application/problem+json");
      assertThat(optional.body()).isEqualTo("1");
      assertThat(required.status()).isEqualTo(400);
      assertThat(notChosen.body()).isEqualTo("2");
    }
  }

  @Test
  void showsTheStateOfAnOperationUnderAsync() {
    try (App app = App.startOn(server, LeasedRouteTest.AsyncShop.class, "once.contract=async")) {
      Answer first = app.api().post("/callable", "op", Api.wish("pan"));
      Answer second = app.api().post("/callable", "op", Api.wish("pan"));

      assertThat(first.header("X-Idempotency-Status")).isEqualTo("MISS");
      assertThat(second.header("X-Idempotency-Status")).isEqualTo("HIT");
      assertThat(second.content()).isEqualTo(first.content());
      assertThat(app.orders("pan")).isEqualTo(1);
    }
  }

  @Test
  void acceptsADuplicateInFlightUnderAsync() {
    try (App app =
        App.startOn(
            server, SlowShop.class, "once.contract=async", "server.servlet.context-path=/app")) {
      Gate gate = app.bean(SlowController.class).gate;
      CompletableFuture<Answer> first = app.api().postSoon("/app/slow", "op", "");
      gate.awaitEntered();
      Answer duplicate = app.api().post("/app/slow", "op", "");
      Answer state = state(app.api(), duplicate);
      Answer toOthers = state(app.api().as("other/bob"), duplicate);
      gate.open();
      first.join();

      assertThat(duplicate.status()).isEqualTo(202);
      assertThat(state.body()).contains("in_progress");
      assertThat(toOthers.status()).isEqualTo(404);
      assertThat(state(app.api(), duplicate).body()).contains("completed");
    }
  }

  private static Answer state(Api api, Answer duplicate) {
    return api.send(
        api.request("GET", duplicate.header("Location"), "").header("Idempotency-Key", "op"));
  }

  @Test
  void isAboutIncludedPathsAndNotAboutExcludedOnes() {
    try (App app =
        App.startOn(
            server,
            Documents.class,
            "server.servlet.context-path=/app",
            "once.http.include=/required,/optional",
            "once.http.exclude=/opt*")) {
      Answer included = app.api().send(app.api().request("POST", "/app/required", ""));
      Answer excluded = app.api().post("/app/optional", "k", "");
      Answer other = app.api().send(app.api().request("PATCH", "/app/not-chosen", ""));

      assertThat(included.status()).isEqualTo(400);
      assertThat(excluded.status()).isEqualTo(200);
      assertThat(app.api().post("/app/optional", "k", "").replayed()).isFalse();
      assertThat(other.status()).isEqualTo(200);
    }
  }

  @Test
  void changesWhatTheSettingsSay() {
    try (App app =
        App.startOn(
            server,
            Shop.class,
            "once.lease=45s",
            "once.failed-retention=1h",
            "once.recovery=ask",
            "once.max-stored=2KB",
            "once.http.kept-headers=X-Total",
            "once.http.problems=https://api.example.com/problems/")) {
      Contract contract = app.bean(Contract.class);

      assertThat(contract.terms().lease()).hasSeconds(45);
      assertThat(contract.terms().retention()).hasHours(24);
      assertThat(contract.terms().failedRetention()).hasHours(1);
      assertThat(contract.terms().recovery()).isEqualTo(Recovery.ASK);
      assertThat(contract.terms().maxPayloadBytes()).isEqualTo(2048);
      assertThat(contract.keptHeaders()).contains("x-total", "etag");
      assertThat(contract.problems()).hasHost("api.example.com");
    }
  }

  @Test
  void servesOneTenantWithoutAResolver() {
    try (App app =
        App.startOn(
            server, OneTenant.class, "once.http.tenant=acme", "once.http.allow-anonymous=true")) {
      Answer first = app.api().as("").post("/required", "k", "");

      assertThat(first.status()).isEqualTo(200);
      assertThat(app.api().as("").post("/required", "k", "").replayed()).isTrue();
    }
  }

  private static Answer put(App app, String key, String ifMatch) {
    var request = app.api().request("PUT", "/document", "").header("Idempotency-Key", key);
    return app.api().send(ifMatch.isEmpty() ? request : request.header("If-Match", ifMatch));
  }
}
