package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.web.servlet.function.RequestPredicates.method;
import static org.springframework.web.servlet.function.RouterFunctions.route;

import dev.once.spring.Api.Answer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** Routes without controllers. */
@OnEachServer
class FunctionalRouteTest {
  @Configuration(proxyBeanMethods = false)
  @Import(Shop.class)
  static class FunctionalShop {
    private final AtomicInteger receipts = new AtomicInteger();

    @Bean
    @Order(1)
    RouterFunction<ServerResponse> nested() {
      return route()
          .path("/v1/shops/{shop}", shop -> shop.POST("/visits/{id}", request -> next()))
          .POST("/shops/{shop}/orders", request -> ServerResponse.accepted().build())
          .build();
    }

    @Bean
    @Order(2)
    RouterFunction<ServerResponse> anything() {
      return route(method(HttpMethod.PATCH), request -> next());
    }

    private ServerResponse next() throws Exception {
      return ServerResponse.ok().body("receipt " + receipts.incrementAndGet());
    }
  }

  @Parameter Class<?> server = Servers.OnTomcat.class;

  @SuppressWarnings("NullAway.Init")
  private App app;

  @SuppressWarnings("NullAway.Init")
  private Api api;

  @BeforeParameterizedClassInvocation
  void start() {
    app = App.startOn(server, FunctionalShop.class);
    api = app.api();
  }

  @AfterParameterizedClassInvocation
  void stop() {
    app.close();
  }

  @Test
  void replaysAndHasTheWholePatternInItsScope() {
    Answer first = api.post("/v1/shops/7/visits/9", "visit", "");
    Answer second = api.post("/v1/shops/7/visits/9", "visit", "");

    assertThat(second.content()).isEqualTo(first.content());
    assertThat(second.replayed()).isTrue();
    assertThat(app.scopeOf("visit")).isEqualTo("api:/v1/shops/{shop}/visits/{id}");
  }

  @Test
  void coversARouteThatAsksForNoPath() {
    Answer first = patch();
    Answer second = patch();

    assertThat(second.content()).isEqualTo(first.content());
    assertThat(app.scopeOf("any")).isEqualTo("api:/**");
  }

  /** A functional route takes precedence over a controller's method, as in Spring MVC. */
  @Test
  void findsTheHandlerThatSpringWillCall() {
    assertThat(api.order("function", "kite").status()).isEqualTo(202);
  }

  private Answer patch() {
    return api.send(api.request("PATCH", "/where/ever", "").header("Idempotency-Key", "any"));
  }
}
