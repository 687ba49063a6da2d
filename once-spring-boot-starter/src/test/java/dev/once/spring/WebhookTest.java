package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.inbox.Inbox;
import dev.once.inbox.Provider;
import dev.once.inbox.WebhookHandler;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Webhooks that arrive over HTTP, and are processed in Spring's transactions. */
@Timeout(60)
class WebhookTest {
  private static final String WITHOUT_SERVER = "spring.main.web-application-type=none";

  /** Processes MoMo's callbacks without confirming them at MoMo. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Gullible {
    @Bean
    Provider momo() {
      return Provider.mtnMomo("acme");
    }

    @Bean
    WebhookProcessing processing() {
      return new WebhookProcessing(
          "momo", WebhookHandler.transactional((webhook, connection) -> {}));
    }
  }

  /** Processes webhooks of a provider that is not configured. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Forgetful {
    @Bean
    WebhookProcessing processing() {
      return new WebhookProcessing(
          "stripe", WebhookHandler.transactional((webhook, connection) -> {}));
    }
  }

  @Test
  void processesOnceWhatComesThreeTimesAndCountsTheRest() throws Exception {
    try (App app = App.start(WebhookShop.class)) {
      List<Integer> statuses = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        statuses.add(deliver(app, "candle", WebhookShop.SECRET).statusCode());
      }
      Polling.until(() -> app.orders("candle"), orders -> orders == 1);

      assertThat(statuses).containsOnly(200);
      assertThat(count(app, "webhook_accepted")).isEqualTo(1);
      assertThat(count(app, "webhook_duplicate")).isEqualTo(2);
      assertThat(app.scopeOf("candle")).isEqualTo("webhook_id:github"); // not signed
    }
  }

  /** DashboardTest of the planning service checks all other names. */
  @Test
  void countsWhatTheDashboardAndTheAlertsAskFor() throws Exception {
    Path docs = Path.of("../docs/operating");
    String asked =
        Files.readString(docs.resolve("grafana-dashboard.json"))
            + Files.readString(docs.resolve("prometheus-alerts.yaml"));
    Set<String> names =
        Pattern.compile("\\bwebhook_[a-z]+(?=_total)")
            .matcher(asked)
            .results()
            .map(MatchResult::group)
            .collect(Collectors.toSet());
    assertThat(names).contains("webhook_duplicate").hasSizeGreaterThan(3);

    try (App app = App.start(WebhookShop.class)) {
      for (String name : names) {
        assertThat(app.bean(MeterRegistry.class).get(name).tagKeys("provider").counters())
            .as(name)
            .isNotEmpty();
      }
    }
  }

  @Test
  void refusesWhatIsNotSigned() throws Exception {
    try (App app = App.start(WebhookShop.class)) {
      HttpResponse<String> answer = deliver(app, "candle", "guessed");

      assertThat(answer.statusCode()).isEqualTo(401);
      assertThat(answer.body()).contains("\"code\":\"webhook.signature_invalid\"");
      assertThat(count(app, "webhook_refused")).isEqualTo(1);
      assertThat(app.records("candle")).isZero();
    }
  }

  @Test
  void takesTheNameThatServicesAlreadyHaveForTheRetention() {
    try (App app = App.start(WebhookShop.class, "WEBHOOK_DEDUP_TTL_HOURS=240")) {
      assertThat(app.bean(Inbox.class).provider("github").orElseThrow().retention()).hasHours(240);
    }
  }

  @Test
  void hasNoInboxWithoutProviders() {
    try (App app = App.start(Shop.class)) {
      assertThat(app.has(Inbox.class)).isFalse();
      assertThat(app.tables("once_inbox_order")).isZero();
    }
  }

  @Test
  void refusesToStartWithoutConfirmation() {
    assertThat(failureOf(Gullible.class))
        .contains("webhooks of momo cannot be processed: any client can send in the name of momo");
  }

  @Test
  void refusesToStartWithAHandlerOfAnUnknownProvider() {
    assertThat(failureOf(Forgetful.class))
        .contains("webhooks of stripe cannot be processed: there is no bean of type Provider");
  }

  private static String failureOf(Class<?> application) {
    List<String> settings = new ArrayList<>(App.connection(App.newDatabase()));
    settings.add(WITHOUT_SERVER);
    return StartReport.ofStarting(application, settings);
  }

  private static double count(App app, String name) {
    return app.bean(MeterRegistry.class).get(name).tag("provider", "github").counter().count();
  }

  private static HttpResponse<String> deliver(App app, String id, String secret) throws Exception {
    String body = "{\"action\":\"opened\"}";
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    byte[] signature = mac.doFinal(body.getBytes(StandardCharsets.UTF_8));
    URI uri = app.api().base().resolve("/webhooks/github");
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .header("X-GitHub-Delivery", id)
            .header("X-GitHub-Event", "issues")
            .header("X-Hub-Signature-256", "sha256=" + HexFormat.of().formatHex(signature))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }
}
