package dev.once.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;

/** A change of any bit of a body or of a signature is detected. */
class SignatureProperties {
  private static final String TIME = Long.toString(Sent.NOW.getEpochSecond());
  private static final Provider GITHUB = Provider.gitHub("acme", Signed.SECRET);
  private static final Provider STRIPE = Provider.stripe("acme", Signed.SECRET);
  private static final Provider STANDARD = Provider.standardWebhooks("acme", Signed.BASE64_SECRET);

  @Property(tries = 300)
  void refusesAChangedBody(
      @ForAll @AlphaChars @StringLength(max = 40) String text,
      @ForAll @IntRange(max = 9999) int bit) {
    String body = "{\"id\":\"" + text + "\"}";

    assertThat(refusal(GITHUB, flipBody(hub(body), bit))).startsWith("401");
    assertThat(refusal(STRIPE, flipBody(stripe(body), bit))).startsWith("401");
    assertThat(refusal(STANDARD, flipBody(standard(body), bit))).startsWith("401");
  }

  @Property(tries = 300)
  void refusesAChangedSignature(@ForAll @IntRange(max = 9999) int bit) {
    String body = "{\"id\":\"evt_1\"}";

    for (String header : List.of("webhook-signature", "webhook-id", "webhook-timestamp")) {
      assertThat(refusal(STANDARD, flipHeader(standard(body), header, bit))).startsWith("401");
    }
    assertThat(refusal(GITHUB, flipHeader(hub(body), "x-hub-signature-256", bit)))
        .startsWith("401");
    assertThat(refusal(STRIPE, flipHeader(stripe(body), "stripe-signature", bit)))
        .startsWith("401");
  }

  private static Delivery hub(String body) {
    return Signed.hub(body, "X-GitHub-Delivery", "72d3162e");
  }

  private static Delivery stripe(String body) {
    return Signed.stripe(Sent.NOW.getEpochSecond(), body);
  }

  private static Delivery standard(String body) {
    return Signed.standard("msg_1", TIME, body);
  }

  private static String refusal(Provider provider, Delivery delivery) {
    return Sent.refusal(provider, delivery);
  }

  private static Delivery flipBody(Delivery delivery, int bit) {
    return delivery.withBody(flip(delivery.body(), bit));
  }

  private static Delivery flipHeader(Delivery delivery, String header, int bit) {
    byte[] value = delivery.header(header).orElseThrow().getBytes(StandardCharsets.ISO_8859_1);
    String flipped = new String(flip(value, bit), StandardCharsets.ISO_8859_1);
    return Signed.with(delivery, header, flipped);
  }

  private static byte[] flip(byte[] bytes, int bit) {
    byte[] flipped = bytes.clone();
    flipped[bit / 8 % bytes.length] ^= (byte) (1 << bit % 8);
    return flipped;
  }
}
