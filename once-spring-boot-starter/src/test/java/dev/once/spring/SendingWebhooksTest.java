package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.once.webhooks.WebhookEndpoint;
import dev.once.webhooks.WebhookSender;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Webhooks that are sent in Spring's transactions. */
@Timeout(60)
class SendingWebhooksTest {
  private final List<String> received = new CopyOnWriteArrayList<>();
  private final HttpServer receiver = newServer();

  @BeforeEach
  void start() {
    receiver.createContext(
        "/",
        exchange -> {
          received.add(exchange.getRequestHeaders().getFirst("webhook-id"));
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    receiver.start();
  }

  @AfterEach
  void stop() {
    receiver.stop(0);
  }

  @Test
  void sendsWhatIsCommittedAndNothingElse() throws Exception {
    try (App app = App.start(SendingShop.class, "once.webhooks.enabled=true")) {
      URI url = URI.create("http://127.0.0.1:" + receiver.getAddress().getPort() + "/");
      app.bean(WebhookSender.class)
          .endpoints()
          .put(WebhookEndpoint.of("acme", "shop", url, WebhookEndpoint.newSecret()));
      SendingShop.Announcements announcements = app.bean(SendingShop.Announcements.class);

      TransactionTemplate transaction =
          new TransactionTemplate(app.bean(PlatformTransactionManager.class));
      transaction.executeWithoutResult(
          status -> {
            announcements.place("broken");
            status.setRollbackOnly();
          });
      announcements.place("candle");
      Polling.until(() -> count(app, "delivered"), it -> it == 1);

      assertThat(received).containsExactly("msg_candle");
      assertThat(app.orders("broken")).isZero();
      assertThat(count(app, "disabled")).isZero();
    }
  }

  @Test
  void sendsNothingIfItIsDisabled() {
    try (App app = App.start(Shop.class, "once.webhooks.enabled=false")) {
      assertThat(app.has(WebhookSender.class)).isFalse();
      assertThat(app.tables("once_webhook_endpoint")).isZero();
    }
  }

  @Test
  void namesASettingThatIsOutsideItsLimits() {
    assertThatThrownBy(() -> App.start(Shop.class, "once.webhooks.timeout=1h"))
        .rootCause()
        .hasMessageContaining("timeout of a webhook must be PT0.1S to PT5M, got PT1H");
  }

  private static double count(App app, String event) {
    return app.bean(MeterRegistry.class)
        .get("once_webhook_events")
        .tag("event", event)
        .counter()
        .count();
  }

  private static HttpServer newServer() {
    try {
      return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
