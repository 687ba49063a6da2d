package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.spring.Api.Answer;
import dev.once.spring.Idempotent.Mode;
import dev.once.spring.Payments.Charge;
import dev.once.spring.Payments.Receipt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** The answer to a request whose handler calls an {@link Idempotent} bean that refuses the call. */
class RefusedMethodTest {
  @RestController
  record Cashier(Payments payments) {
    @PostMapping("/joined")
    Receipt joined(@RequestBody Charge charge) {
      return payments.charge(charge);
    }

    @PostMapping("/leased")
    @Idempotent(mode = Mode.LEASED)
    Receipt leased(@RequestBody Charge charge) {
      return payments.charge(charge);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import({Shop.class, Payments.class, Cashier.class})
  static class Shopping {}

  @ParameterizedTest
  @ValueSource(strings = {"/joined", "/leased"})
  void isThatOfTheContract(String path) {
    try (App app = App.start(Shopping.class)) {
      Api api = app.api();
      assertThat(api.post(path, "first", charge(500)).status()).isEqualTo(200);

      Answer refused = api.post(path, "second", charge(501));

      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.header("Content-Type")).isEqualTo("application/problem+json");
      assertThat(refused.body())
          .contains("\"code\":\"idempotency.payload_mismatch\"", "operation")
          .doesNotContain("c-1");
      assertThat(app.bean(Payments.class).executions()).isEqualTo(1);
    }
  }

  private static String charge(int cents) {
    return "{\"tenant\":\"acme\",\"id\":\"c-1\",\"cents\":" + cents + "}";
  }
}
