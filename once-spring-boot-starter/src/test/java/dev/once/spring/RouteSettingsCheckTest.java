package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.http.Route;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings of single routes by property are checked at start. */
class RouteSettingsCheckTest {
  @Test
  void areCheckedAtStart() {
    assertThat(report(Shop.class, "once.http.routes[0].lease=0s"))
        .contains("once.http.routes[0] cannot be used: lease must be PT0.1S to PT24H, got PT0S.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "once.http.routes[0].path=/shops/7/orders",
        "once.http.routes[0].path=/app/shops/{shop}/orders",
        "once.http.routes[0].methods=GET"
      })
  void areRefusedIfNoRouteMatches(String setting) {
    assertThat(report(Shop.class, setting))
        .contains("once.http.routes[0] changes nothing: no handler of a write has a mapping that")
        .contains("without the context path");
  }

  @Test
  void areRefusedIfTheirNameIsUnknown() {
    assertThat(report(Shop.class, "once.http.routes[0].recovry=ask"))
        .contains("once.http.routes[0].recovry");
  }

  @Test
  void mayMatchFunctionalRoutes() {
    App.start(FunctionalRouteTest.FunctionalShop.class, "once.http.routes[0].path=/v1/**").close();
  }

  @Test
  void nameMethodsInLowerCaseToo() {
    try (App lower =
        App.start(
            Shop.class, "once.http.routes[0].methods=post", "once.http.routes[0].mode=leased")) {
      assertThat(lower.bean(MvcRoutes.class).route(null, "/any", "POST").orElseThrow().mode())
          .isEqualTo(Route.Mode.LEASED);
    }
  }

  private static String report(Class<?> application, String setting) {
    return StartReport.ofStarting(
        application,
        Stream.concat(App.connection(App.newDatabase()).stream(), Stream.of(setting)).toList());
  }
}
