package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.spi.RecordIndex;
import dev.once.spi.RecordQuery;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class InboxSettingsTest {
  @Test
  void refusesAPathThatNothingCouldComeInAt() {
    List<String> settings = new ArrayList<>(App.connection(App.newDatabase()));
    settings.add("once.inbox.path=/hooks/");

    assertThat(StartReport.ofStarting(WebhookShop.class, settings))
        .contains("once.inbox.path must be a path such as /webhooks, got /hooks/.");
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
