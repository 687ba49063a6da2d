package dev.once.spring;

import static dev.once.spring.Api.ORDERS;
import static dev.once.spring.Api.wish;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.web.servlet.function.RouterFunctions.route;

import dev.once.spring.Api.Answer;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.filter.UrlHandlerFilter;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.handler.AbstractHandlerMapping;

/** A write that Once covers is guarded, or it is refused. A subclass chooses the server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FailsClosedTests {
  @Configuration(proxyBeanMethods = false)
  @Import(Shop.class)
  static class Detours {
    static final AtomicInteger RUNS = new AtomicInteger();

    @Bean
    FilterRegistrationBean<UrlHandlerFilter> trailingSlash() {
      FilterRegistrationBean<UrlHandlerFilter> filter =
          new FilterRegistrationBean<>(
              UrlHandlerFilter.trailingSlashHandler("/**").wrapRequest().build());
      filter.setOrder(OnceWebAutoConfiguration.FILTER_ORDER + 1);
      return filter;
    }

    @Bean
    FilterRegistrationBean<Filter> forwarding() {
      FilterRegistrationBean<Filter> filter =
          new FilterRegistrationBean<>(
              (request, response, chain) ->
                  request.getRequestDispatcher(ORDERS).forward(request, response));
      filter.addUrlPatterns("/forwarded");
      filter.setOrder(OnceWebAutoConfiguration.FILTER_ORDER - 10);
      return filter;
    }

    @Bean("/legacy")
    HttpRequestHandler legacy() {
      return (request, response) -> response.getWriter().print("run " + RUNS.incrementAndGet());
    }

    /** Fails when the filter looks for the handler, and finds it when the servlet does. */
    @Bean
    HandlerMapping failing() {
      return new AbstractHandlerMapping() {
        {
          setOrder(HIGHEST_PRECEDENCE);
        }

        @Override
        protected @Nullable Object getHandlerInternal(HttpServletRequest request)
            throws ServletException {
          String failure = request.getHeader("Fail-Look-Up");
          if (failure == null || request.getDispatcherType() != DispatcherType.REQUEST) {
            return null;
          }
          if (request.getAttribute("looked up") == null) {
            request.setAttribute("looked up", true);
            switch (failure) {
              case "checked" -> throw new ServletException("no look-up");
              case "error" -> throw new StackOverflowError();
              default -> throw new IllegalStateException("no look-up");
            }
          }
          return legacy();
        }
      };
    }

    @Bean
    RouterFunction<ServerResponse> async() {
      return route()
          .POST(
              "/async",
              request -> {
                RUNS.incrementAndGet();
                return ServerResponse.async(new CompletableFuture<ServerResponse>());
              })
          .build();
    }
  }

  private final Class<?> server;
  private App app;
  private Api api;

  FailsClosedTests(Class<?> server) {
    this.server = server;
  }

  @BeforeAll
  void start() {
    app = App.startOn(server, Detours.class);
    api = app.api();
  }

  @AfterAll
  void stop() {
    app.close();
  }

  @Test
  void refusesAWriteWhosePathWasChangedBehindTheFilter() {
    Answer answer = api.send(api.request("POST", ORDERS + "/", wish("lamp")));

    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.body()).contains("idempotency.not_guarded");
    assertThat(app.orders("lamp")).isZero();
  }

  @Test
  void refusesAForwardAndSaysThatNoOrderHelps() {
    try (LogLines log = LogLines.of(DispatchGuard.class)) {
      assertThat(api.post("/forwarded", "forwarded", wish("kite")).body())
          .contains("idempotency.not_guarded");
      assertThat(log.lines()).singleElement().asString().contains("a forward does not pass");
    }
    assertThat(app.orders("kite")).isZero();
  }

  @Test
  void leavesReadsOfSuchAPathAlone() {
    assertThat(api.get(ORDERS + "/").body()).isEqualTo("orders");
  }

  @Test
  void guardsHandlersThatAreNoControllers() {
    assertThat(api.send(api.request("POST", "/legacy", "")).body())
        .contains("idempotency.key_required");

    Answer first = api.post("/legacy", "legacy", "{}");
    assertThat(api.post("/legacy", "legacy", "{}").content()).isEqualTo(first.content());
  }

  @Test
  void doesNotRepeatAHandlerThatWentAsynchronousInItsTransaction() {
    int before = Detours.RUNS.get();

    Answer first = api.post("/async", "async", "{}");
    Answer second = api.post("/async", "async", "{}");

    assertThat(first.body()).contains("idempotency.uncertain");
    assertThat(second.content()).isEqualTo(first.content());
    assertThat(Detours.RUNS).hasValue(before + 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"checked", "unchecked", "error"})
  void executesNothingIfTheLookUpOfTheRouteFails(String failure) {
    int before = Detours.RUNS.get();

    Answer withoutKey = api.send(api.request("POST", ORDERS, "{}").header("Fail-Look-Up", failure));
    Answer withKey =
        api.send(
            api.request("POST", ORDERS, "{}")
                .header("Idempotency-Key", "lost " + failure)
                .header("Fail-Look-Up", failure));

    assertThat(withoutKey.status()).isEqualTo(500);
    assertThat(withKey.status()).isEqualTo(500);
    assertThat(Detours.RUNS).hasValue(before);
  }

  @Test
  void leavesPathsWithoutAHandlerToSpring() {
    assertThat(api.send(api.request("POST", "/nothing", "{}")).status()).isEqualTo(404);
    assertThat(api.send(api.request("PATCH", ORDERS, "{}")).status()).isEqualTo(405);
  }

  @Test
  void refusesPathsWithoutAHandlerIfThatIsChosen() {
    try (App strict = App.startOn(server, Shop.class, "once.http.unrouted=refuse")) {
      Answer answer = strict.api().post("/nothing", "nothing", "{}");

      assertThat(answer.body()).contains("idempotency.not_guarded");
    }
  }

  @Test
  void letsRequestsWithoutAKeyPassWhileKeysAreIntroduced() {
    try (App lenient = App.startOn(server, Shop.class, "once.http.enforcement=report")) {
      Api client = lenient.api();

      assertThat(client.send(client.request("POST", ORDERS, wish("rope"))).status()).isEqualTo(201);
      client.order("keyed", "cord");
      assertThat(client.order("keyed", "cord").replayed()).isTrue();
    }
  }

  @Test
  void refusesAKeyThatTheFilterDidNotSeeAlsoWhileKeysAreIntroduced() {
    try (App lenient = App.startOn(server, Detours.class, "once.http.enforcement=report")) {
      Api client = lenient.api();

      assertThat(client.post(ORDERS + "/", "detour", wish("lamp")).body())
          .contains("idempotency.not_guarded");
    }
  }

  @Test
  void countsARequestWithoutAKeyThatTheFilterDidNotSee() {
    try (App lenient = App.startOn(server, Detours.class, "once.http.enforcement=report")) {
      Api client = lenient.api();

      assertThat(client.send(client.request("POST", ORDERS + "/", wish("lamp"))).status())
          .isEqualTo(201);
      assertThat(
              lenient
                  .bean(MeterRegistry.class)
                  .get("idempotency_unguarded")
                  .tags("endpoint", "POST /shops/{shop}/orders", "reason", "not_guarded")
                  .counter()
                  .count())
          .isEqualTo(1);
    }
  }

  @Test
  void isNotThereForHttpIfThatIsChosen() {
    try (App without = App.startOn(server, Shop.class, "once.http.enabled=false")) {
      Api client = without.api();

      assertThat(client.send(client.request("POST", ORDERS, wish("sail"))).status()).isEqualTo(201);
    }
  }
}
