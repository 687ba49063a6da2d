package dev.once.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The reason that a delivery gets if several apply: checks run from the outside to the inside. */
class RejectionReasonTest {
  private static final Provider PROVIDER = WhatsApp.PROVIDER.withMaxBytes(100);
  private static final String LARGE = "x".repeat(101);

  @Test
  void looksAtTheMethodFirst() {
    Delivery delivery =
        new Delivery("DELETE", List.of(), Map.of(), Map.of(), LARGE.getBytes(UTF_8));

    assertThat(Sent.refusal(PROVIDER, delivery)).isEqualTo("405 webhook.method");
    assertThat(Sent.answer(PROVIDER, delivery).headers()).containsEntry("Allow", "GET, POST");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "text/plain", "application/jsonp", "application/x-www-form-urlencoded"})
  void looksAtTheMediaTypeNext(String type) {
    assertThat(Sent.refusal(PROVIDER, Sent.post(LARGE, "Content-Type", type)))
        .isEqualTo("415 webhook.media_type");
  }

  @Test
  void looksAtTheSizeNext() {
    assertThat(Sent.refusal(PROVIDER, Sent.post(LARGE))).isEqualTo("413 webhook.too_large");
  }

  @Test
  void looksAtTheSignatureNext() {
    assertThat(Sent.refusal(PROVIDER, Sent.post("{"))).isEqualTo("401 webhook.signature_missing");
    assertThat(Sent.refusal(PROVIDER, Sent.post("{", "X-Hub-Signature-256", "sha256=00")))
        .isEqualTo("401 webhook.signature_invalid");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "{", "nope", "{} {}", "{\"a\":1,\"a\":2}", "{\"a\":01}", "{\"a\":NaN}"})
  void looksAtTheContentLast(String body) {
    assertThat(Sent.refusal(PROVIDER, Signed.hub(body))).isEqualTo("400 webhook.malformed");
  }

  @Test
  void refusesJsonThatIsTooDeep() {
    Delivery delivery = Signed.hub("[".repeat(600) + "]".repeat(600));

    assertThat(Sent.refusal(WhatsApp.PROVIDER, delivery)).isEqualTo("400 webhook.malformed");
  }

  @Test
  void repeatsNothingOfTheDelivery() {
    assertThat(Sent.answer(PROVIDER, Signed.hub("{\"s3cr3t\"")).body())
        .isEqualTo(
            "{\"type\":\"https://once.dev/problems/webhook#malformed\","
                + "\"title\":\"Delivery cannot be read\",\"status\":400,"
                + "\"code\":\"webhook.malformed\"}");
  }

  @ParameterizedTest
  @EnumSource
  void isAProblem(RejectionReason refusal) {
    WebhookResponse webhookResponse = refusal.webhookResponse();
    JsonNode body = new JsonMapper().readTree(webhookResponse.body());

    assertThat(body.path("status").intValue()).isEqualTo(webhookResponse.status());
    assertThat(body.path("code").asString()).matches("webhook\\.[a-z_]+");
    assertThat(webhookResponse.headers()).containsEntry("Content-Type", "application/problem+json");
  }
}
