package dev.once.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A sender's webhooks reach the service, each until it is taken. */
@Timeout(120)
class WebhookIntakeTest {
  private static final String SECRET = "whsec_secret-of-a-test";

  private final ScriptedService service = new ScriptedService((request, to) -> to.status(204, ""));
  private RunningGateway gateway;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    Path secret = Files.writeString(folder.resolve("stripe.secret"), SECRET + "\n");
    gateway = RunningGateway.of(settings(secret));
  }

  private String settings(Path secret) {
    return """
    upstream: {url: '%s'}
    webhooks:
      - {sender: stripe, tenant: acme, secretFiles: ['%s'], to: /events/stripe}
    """
        .formatted(service.url(), secret);
  }

  @AfterEach
  void stop() {
    gateway.close();
    service.close();
  }

  @Test
  void sendsWhatIsSignedToTheServiceOnceHoweverOftenItComes() throws Exception {
    String event = event("evt_1");
    assertThat(send(event, SECRET).statusCode()).isEqualTo(200);
    assertThat(send(event, SECRET).statusCode()).isEqualTo(200);
    assertThat(send(event("evt_2"), SECRET).statusCode()).isEqualTo(200);

    awaitMetric("webhook_forwarded_total{outcome=\"taken\",queue=\"webhook.stripe\"} 2.0");
    assertThat(service.requests())
        .hasSize(2)
        .anySatisfy(
            it ->
                assertThat(it)
                    .startsWith("POST /events/stripe HTTP/1.1")
                    .contains("Idempotency-Key: evt_1", "Once-Tenant: acme", "Once-Attempt: 1")
                    .contains("Once-Webhook-Type: invoice.paid", "Content-Type: application/json")
                    .containsPattern("Once-Fence: \\d+")
                    .contains("\"object\":\"event\""));
    assertThat(gateway.admin("/metrics")).contains("webhook_duplicate_total");
  }

  @Test
  void sendsNothingThatIsNotSigned() throws Exception {
    HttpResponse<String> refused = send(event("evt_forged"), "another secret");

    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(gateway.post("/once/webhooks/github", "k", "{}").statusCode()).isEqualTo(404);
    assertThat(service.requests()).isEmpty();
    assertThat(gateway.admin("/metrics")).contains("webhook_refused_total");
  }

  @Test
  void sendsAgainWithTheSameKeyAndAHigherFenceUntilTheServiceTakesIt() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    service.now(
        (request, to) -> {
          switch (attempts.incrementAndGet()) {
            case 1 -> to.status(500, "not now");
            case 2 -> to.reset();
            default -> to.status(204, "");
          }
        });

    assertThat(send(event("evt_3"), SECRET).statusCode()).isEqualTo(200);

    awaitMetric("webhook_forwarded_total{outcome=\"taken\",queue=\"webhook.stripe\"} 1.0");
    assertThat(service.requests())
        .hasSize(3)
        .allSatisfy(it -> assertThat(it).contains("Idempotency-Key: evt_3"));
    assertThat(service.requests().stream().map(WebhookIntakeTest::fence).toList())
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Test
  void keepsWhatTheServiceRefusesForAnOperator() throws Exception {
    service.now((request, to) -> to.status(422, "no such invoice"));

    send(event("evt_4"), SECRET);

    awaitMetric("webhook_forwarded_total{outcome=\"dead\",queue=\"webhook.stripe\"} 1.0");
    assertThat(service.requests()).hasSize(1);
    assertThat(gateway.admin("/once/api/jobs/dead?tenant=acme")).contains("webhook.stripe", "422");
    assertThat(gateway.admin("/once/api/inbox?tenant=acme&provider=stripe&state=dead"))
        .contains("\"evt_4\"", "422");
  }

  @Test
  void saysWhatIsWrongWithItsSettings(@TempDir Path folder) throws Exception {
    Path empty = Files.writeString(folder.resolve("empty"), "\n");

    assertThatThrownBy(() -> RunningGateway.of(settings(empty)))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("has no secret in its first line");
    assertThatThrownBy(() -> RunningGateway.of(settings(folder.resolve("missing"))))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("cannot be read");
    assertThatThrownBy(
            () -> RunningGateway.read(settings(empty).replace("/events/stripe", "/all events")))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("to must be a path of a URI");
    assertThatThrownBy(() -> RunningGateway.read(settings(empty).replace("stripe,", "carrier,")))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("sender must be one of github, shopify, slack");
    assertThatThrownBy(
            () -> RunningGateway.read(settings(empty) + settings(empty).split("webhooks:\n", 2)[1]))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("two webhooks have the name stripe");
  }

  private static String event(String id) {
    return "{\"id\":\"%s\",\"object\":\"event\",\"type\":\"invoice.paid\",\"created\":%d,\"data\":{}}"
        .formatted(id, Instant.now().getEpochSecond());
  }

  private HttpResponse<String> send(String body, String secret) throws Exception {
    long time = Instant.now().getEpochSecond();
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
    String signature = HexFormat.of().formatHex(mac.doFinal((time + "." + body).getBytes(UTF_8)));
    return RunningGateway.send(
        gateway
            .request(
                "/once/webhooks/stripe",
                "Content-Type",
                "application/json",
                "Stripe-Signature",
                "t=" + time + ",v1=" + signature)
            .POST(BodyPublishers.ofString(body))
            .build());
  }

  private static long fence(String request) {
    return Long.parseLong(request.replaceAll("(?s).*Once-Fence: (\\d+).*", "$1"));
  }

  private void awaitMetric(String line) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!gateway.admin("/metrics").contains(line)) {
      assertThat(System.nanoTime()).as(line).isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }
}
