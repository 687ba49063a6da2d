package dev.once.spring;

import static dev.once.spring.Api.wish;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.spring.Api.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Routes that say with {@link Idempotent} that they run under a lease. */
@OnEachServer
class LeasedRouteTest {
  @Configuration(proxyBeanMethods = false)
  @Import({Shop.class, AsyncController.class})
  static class AsyncShop {}

  @Parameter Class<?> server = Servers.OnTomcat.class;

  @SuppressWarnings("NullAway.Init")
  private App app;

  @SuppressWarnings("NullAway.Init")
  private Api api;

  @BeforeParameterizedClassInvocation
  void start() {
    app = App.startOn(server, AsyncShop.class);
    api = app.api();
  }

  @AfterParameterizedClassInvocation
  void stop() {
    app.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"callable", "deferred", "events", "stream"})
  void replaysTheAnswerOfAHandlerThatWentAsynchronous(String path) {
    Answer first = api.post("/" + path, path, wish(path));
    Answer second = api.post("/" + path, path, wish(path));

    assertThat(first.status()).isEqualTo(200);
    assertThat(first.body()).contains(path);
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(second.header("Content-Type")).isEqualTo(first.header("Content-Type"));
    assertThat(second.replayed()).isTrue();
    assertThat(app.orders(path)).isEqualTo(1);
  }

  @Test
  void executesAgainWhatFailedInTheBackground() {
    Answer first = api.post("/failing", "failing", wish("fan"));
    Answer second = api.post("/failing", "failing", wish("fan"));

    assertThat(first.status()).isEqualTo(500);
    assertThat(second.status()).isEqualTo(500);
    assertThat(second.replayed()).isFalse();
  }

  @Test
  void holdsTheKeyOfAHandlerThatMayBeRunningAfterItsTimeout() {
    assertThat(api.post("/overdue", "overdue", "").status()).isEqualTo(503);

    Answer second = api.post("/overdue", "overdue", "");

    assertThat(second.body()).contains("idempotency.in_flight");
  }

  @Test
  void leavesTransactionsToTheServices() {
    assertThat(api.post("/isolation", "isolation", "").body()).isEqualTo("serializable");
  }
}
