package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Recovery;
import dev.once.http.Route;
import dev.once.http.ScopeRule;
import dev.once.spring.Api.Answer;
import dev.once.spring.Idempotent.KeyIs;
import dev.once.spring.Idempotent.Mode;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.method.HandlerMethod;

/** Settings of single routes, by annotation and by property. */
@OnEachServer
class RouteSettingsTest {
  abstract static class Reversals {
    @PostMapping("/reversals")
    String reverse() {
      return "reversed";
    }
  }

  @RestController
  @RequestMapping("/transfers")
  @Idempotent(
      mode = Mode.LEASED,
      recovery = Recovery.ASK,
      retention = "2h",
      scopeRule = ScopeRule.METHOD_ROUTE_AND_CALLER,
      comparedHeaders = "X-Currency")
  static class Transfers extends Reversals {
    final AtomicInteger runs = new AtomicInteger();

    @PostMapping
    String transfer() {
      return "transfer " + runs.incrementAndGet();
    }

    @DeleteMapping
    String cancel() {
      return "cancel " + runs.incrementAndGet();
    }

    @PostMapping("/drafts")
    @Idempotent(keyIs = KeyIs.OPTIONAL, retention = "1h")
    String draft() {
      return "draft " + runs.incrementAndGet();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import({Shop.class, Transfers.class})
  static class Bank {}

  @Parameter Class<?> server = Servers.OnTomcat.class;

  @SuppressWarnings("NullAway.Init")
  private App app;

  @SuppressWarnings("NullAway.Init")
  private Api api;

  @BeforeParameterizedClassInvocation
  void start() {
    app =
        App.startOn(
            server,
            Bank.class,
            "once.http.routes[0].path=/shops/{shop}/orders/direct",
            "once.http.routes[0].key-required=false",
            "once.http.routes[1].path=/shops/**",
            "once.http.routes[1].methods=POST",
            "once.http.routes[1].retention=3h");
    api = app.api();
  }

  @AfterParameterizedClassInvocation
  void stop() {
    app.close();
  }

  @Test
  void ofAControllerHoldForItsHandlers() {
    api.post("/transfers", "class", "{}");

    assertThat(scope("class")).isEqualTo("api:POST:/transfers:actor:alice");
    assertThat(hoursKept("class")).isEqualTo(2);
  }

  @Test
  void ofAControllerHoldForHandlersThatItInherits() {
    api.post("/transfers/reversals", "inherited", "{}");

    assertThat(hoursKept("inherited")).isEqualTo(2);
  }

  @Test
  void separateMethodsAndCallersIfTheyDifferFromTheContract() {
    Answer first = api.post("/transfers", "mine", "{}");
    Answer ofAnother = api.as("acme/bob").post("/transfers", "mine", "{}");
    Answer ofDelete =
        api.send(api.request("DELETE", "/transfers", "{}").header("Idempotency-Key", "mine"));

    assertThat(List.of(ofAnother.status(), ofDelete.status())).containsOnly(200);
    assertThat(List.of(ofAnother.body(), ofDelete.body())).doesNotContain(first.body());
  }

  @Test
  void nameHeadersThatMakeAnotherRequest() {
    api.post("/transfers", "header", "{}");

    Answer other =
        api.send(
            api.request("POST", "/transfers", "{}")
                .header("Idempotency-Key", "header")
                .header("X-Currency", "EUR"));

    assertThat(other.body()).contains("idempotency.payload_mismatch");
  }

  @Test
  void ofAMethodCountMoreThanThoseOfItsController() {
    assertThat(api.send(api.request("POST", "/transfers/drafts", "{}")).status()).isEqualTo(200);
    api.post("/transfers/drafts", "draft", "{}");
    assertThat(hoursKept("draft")).isEqualTo(1);
  }

  @Test
  void ofAControllerHoldWhereItsMethodSetsNothing() throws NoSuchMethodException {
    HandlerMethod handler =
        new HandlerMethod(app.bean(Transfers.class), Transfers.class.getDeclaredMethod("draft"));

    Route route =
        app.bean(MvcRoutes.class).route(handler, "/transfers/drafts", "POST").orElseThrow();

    assertThat(route.mode()).isEqualTo(Route.Mode.LEASED);
    assertThat(route.scope()).contains(ScopeRule.METHOD_ROUTE_AND_CALLER);
    assertThat(route.terms().orElseThrow().recovery()).isEqualTo(Recovery.ASK);
  }

  @Test
  void comeFromTheFirstPropertyThatMatches() {
    assertThat(api.send(api.request("POST", "/shops/1/orders/direct", Api.wish("pen"))).status())
        .isEqualTo(200);
    api.order("property", "ink");
    assertThat(hoursKept("property")).isEqualTo(3);
  }

  private String scope(String key) {
    return app.bean(JdbcClient.class)
        .sql("SELECT scope FROM once_record WHERE key = ?")
        .param(key)
        .query(String.class)
        .single();
  }

  private long hoursKept(String key) {
    return app.bean(JdbcClient.class)
        .sql(
            "SELECT round(extract(epoch FROM expires_at - created_at) / 3600) FROM once_record"
                + " WHERE key = ?")
        .param(key)
        .query(Long.class)
        .single();
  }
}
