package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.spring.Api.Answer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Duplicates that wait get the first request's answer. */
@OnEachServer
class WaitingTest {
  private static final int CALLERS = 200;

  @Parameter Class<?> server = Servers.OnTomcat.class;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "once.mode=transactional",
        "once.mode=leased",
        "spring.datasource.hikari.transaction-isolation=TRANSACTION_SERIALIZABLE"
      })
  void answersAllDuplicatesAlike(String setting) {
    try (App app =
        App.startOn(
            server, Shop.class, setting, "once.max-wait=30s", "once.http.max-waiting=" + CALLERS)) {
      Api api = app.api();
      Gate gate = app.gate("book");
      List<CompletableFuture<Answer>> all =
          IntStream.range(0, CALLERS).mapToObj(i -> api.orderSoon("same", "book")).toList();
      gate.awaitEntered();
      gate.open();

      List<Answer> answers = all.stream().map(CompletableFuture::join).toList();

      assertThat(answers).extracting(Answer::content).containsOnly(answers.get(0).content());
      assertThat(answers).filteredOn(Answer::replayed).hasSize(CALLERS - 1);
      assertThat(answers.get(0).status()).isEqualTo(201);
      assertThat(app.orders("book")).isEqualTo(1);
      assertThat(app.busyConnections()).isZero();
    }
  }
}
