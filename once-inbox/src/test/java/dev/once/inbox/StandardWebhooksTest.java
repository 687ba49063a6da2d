package dev.once.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StandardWebhooksTest {
  private static final String BODY = "{\"type\":\"user.created\",\"data\":{}}";
  private static final Provider PROVIDER = Provider.standardWebhooks("acme", Signed.BASE64_SECRET);

  @Test
  void tellsEventsApartByTheirWebhookId() {
    Item item = Sent.item(PROVIDER, sent(0));

    assertThat(item.id()).isEqualTo("msg_1");
    assertThat(item.type()).isEqualTo("user.created");
    assertThat(Sent.text(item)).isEqualTo(BODY);
  }

  @Test
  void givesARetryTheSameFingerprint() {
    assertThat(Sent.item(PROVIDER, sent(-60)).fingerprint())
        .isEqualTo(Sent.item(PROVIDER, sent(60)).fingerprint());
  }

  @ParameterizedTest
  @CsvSource({"-301, false", "-300, true", "0, true", "300, true", "301, false"})
  void toleratesFiveMinutesBothWays(long seconds, boolean isTolerated) {
    DeliveryCheck deliveryCheck = Sent.read(PROVIDER, sent(seconds));

    assertThat(deliveryCheck instanceof DeliveryCheck.Genuine).isEqualTo(isTolerated);
    if (!isTolerated) {
      assertThat(Sent.refusal(PROVIDER, sent(seconds))).isEqualTo("401 webhook.timestamp_refused");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soon", "-1", "1614265330.0", "+1614265330", "9999999999999"})
  void refusesATimestampThatIsNone(String timestamp) {
    assertThat(Sent.refusal(PROVIDER, Signed.standard("msg_1", timestamp, BODY)))
        .isEqualTo("401 webhook.timestamp_refused");
  }

  @Test
  void takesDeliveriesOfBothSecretsWhileOneReplacesTheOther() {
    String next = "C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    Provider rotating = Provider.standardWebhooks("acme", next, Signed.BASE64_SECRET);

    assertThat(Sent.items(rotating, sent(0))).hasSize(1);
    assertThat(Sent.refusal(Provider.standardWebhooks("acme", next), sent(0)))
        .isEqualTo("401 webhook.signature_invalid");
  }

  @Test
  void passesOverSignaturesOfOtherVersions() {
    Delivery sent = sent(0);
    String v1 = sent.header("webhook-signature").orElseThrow();

    assertThat(Sent.items(PROVIDER, signed(sent, "v1a,AAAA " + v1))).hasSize(1);
    assertThat(Sent.refusal(PROVIDER, signed(sent, v1.replace("v1,", "v1a,"))))
        .isEqualTo("401 webhook.signature_invalid");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "whsec_", "whsec_ ", "whsec_%%%", "whsk_AAAA"})
  void refusesASecretThatIsNoneWithoutShowingIt(String secret) {
    assertThatThrownBy(() -> Provider.standardWebhooks("acme", secret))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("secret must ")
        .hasNoCause()
        .message()
        .doesNotContain("%%%");
  }

  @Test
  void followsAnotherTolerance() {
    assertThat(Sent.items(PROVIDER.withTolerance(Duration.ofHours(1)), sent(-3600))).hasSize(1);
  }

  private static Delivery sent(long offset) {
    return Signed.standard("msg_1", Long.toString(Sent.NOW.getEpochSecond() + offset), BODY);
  }

  private static Delivery signed(Delivery delivery, String signature) {
    return Signed.with(delivery, "webhook-signature", signature);
  }
}
