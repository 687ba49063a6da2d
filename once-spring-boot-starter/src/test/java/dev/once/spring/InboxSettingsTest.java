package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.spi.RecordIndex;
import dev.once.spi.RecordQuery;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class InboxSettingsTest {
  @Test
  void takesWebhooksBelowAPathThatEndsInASlash() throws Exception {
    try (App app = App.start(WebhookShop.class, "once.inbox.path=/hooks/")) {
      URI uri = app.api().base().resolve("/hooks/github");
      HttpRequest request =
          HttpRequest.newBuilder(uri)
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString("{}"))
              .build();

      assertThat(
              HttpClient.newHttpClient()
                  .send(request, HttpResponse.BodyHandlers.ofString())
                  .statusCode())
          .isEqualTo(401);
    }
  }

  @Test
  void stepsUseTheSecretOfTheApplicationsFingerprints() {
    String secret = "once.fingerprint-secret=0123456789abcdef0123456789abcdef";
    try (App app = App.start(WebhookShop.class, secret)) {
      app.bean(WebhookShop.Workflow.class).place("candle");

      RecordQuery steps = RecordQuery.of(WebhookShop.RUN.tenant(), WebhookShop.RUN.scope());
      assertThat(app.bean(RecordIndex.class).list(steps).get(0).fingerprint().toString())
          .contains("hmac");
    }
  }
}
