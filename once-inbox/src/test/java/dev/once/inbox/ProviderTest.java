package dev.once.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProviderTest {
  private static final Provider STRIPE = Provider.stripe("acme", "sk-secret");

  @Test
  void isNamedAfterItself() {
    List<Provider> presets =
        List.of(
            WhatsApp.PROVIDER,
            Provider.mtnMomo("acme"),
            Provider.standardWebhooks("acme", Signed.BASE64_SECRET),
            STRIPE,
            Provider.gitHub("acme", "s"));

    assertThat(presets)
        .extracting(Provider::name)
        .containsExactly("whatsapp", "momo", "standard-webhooks", "stripe", "github");
    assertThat(STRIPE.withName("stripe-eu").name()).isEqualTo("stripe-eu");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Stripe", "a/b", "a.b", "a1234567890123456789012345678901x"})
  void refusesANameThatIsNoPathSegment(String name) {
    assertThatThrownBy(() -> STRIPE.withName(name))
        .hasMessage("provider must be named by 1 to 32 characters of a-z0-9-, got " + name);
  }

  @Test
  void refusesSettingsOutsideTheirLimits() {
    assertThatThrownBy(() -> STRIPE.withMaxBytes(0))
        .hasMessage("largest body in bytes must be 1 to 67108864, got 0");
    assertThatThrownBy(() -> STRIPE.withMaxItems(10_001))
        .hasMessage("items in a delivery must be 1 to 10000, got 10001");
    assertThatThrownBy(() -> STRIPE.withTolerance(Duration.ZERO))
        .hasMessage("tolerance must be PT1S to PT24H, got PT0S");
    assertThatThrownBy(() -> STRIPE.withRetention(Duration.ofDays(401)))
        .hasMessage("retention must be PT1S to PT9600H, got PT9624H");
    assertThatThrownBy(() -> STRIPE.withTenants(Map.of("a", "")))
        .hasMessage("tenant must have 1 to 128 characters, got 0");
    assertThatThrownBy(() -> Provider.stripe("acme", "")).hasMessage("secret must not be empty");
  }

  @Test
  void changesACopy() {
    Provider kept = STRIPE.withBodyKept().withRetention(Duration.ofDays(30)).withMaxBytes(10);

    assertThat(kept.keepsBody()).isTrue();
    assertThat(kept.retention()).isEqualTo(Duration.ofDays(30));
    assertThat(kept.maxBytes()).isEqualTo(10);
    assertThat(STRIPE.keepsBody()).isFalse();
    assertThat(STRIPE.maxBytes()).isEqualTo(Envelope.MAX_DATA_BYTES);
  }

  @Test
  void takesOtherMediaTypesIfTold() {
    Provider momo = Provider.mtnMomo("acme").withMediaTypes("Text/Plain");
    Delivery delivery =
        Sent.post("{\"status\":\"PENDING\"}", "Content-Type", "text/plain", "x-reference-id", "r");

    assertThat(Sent.items(momo, delivery)).isEmpty();
  }

  @Test
  void showsNoSecrets() {
    Signing signing = Signing.hmacSha256("X-Signature", "sk-secret");

    assertThat(STRIPE.toString() + signing + Secrets.ofText("sk-secret") + Sent.post("body"))
        .isEqualTo("Provider[stripe]Signing[x-signature]Secrets[1]Delivery[POST, 4 bytes]");
  }
}
