package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.spring.Api.Answer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A request never holds one connection while it waits for another. */
class SmallPoolTest {
  @ParameterizedTest
  @ValueSource(strings = {"transactional", "leased"})
  void getsByWithASingleConnection(String mode) {
    try (App app =
        App.start(
            Shop.class,
            "once.mode=" + mode,
            "spring.datasource.hikari.maximum-pool-size=1",
            "spring.datasource.hikari.connection-timeout=20000")) {
      Api api = app.api();

      List<CompletableFuture<Answer>> answers =
          IntStream.range(0, 30).mapToObj(i -> api.orderSoon("k" + i, "item" + i)).toList();

      assertThat(answers).allMatch(it -> it.join().status() == 201);
      assertThat(api.order("k7", "item7").replayed()).isTrue();
      assertThat(api.order("other", "item7").status()).isEqualTo(409);
      assertThat(api.post("/shops/1/orders/failing", "f", "{\"item\":\"x\"}").status())
          .isEqualTo(500);
    }
  }
}
