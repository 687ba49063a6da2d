package dev.once.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GitHubTest {
  private static final String EVENT =
      "{\"action\":\"opened\",\"issue\":{},\"title\":\"é & = + %\"}";
  private static final Provider PROVIDER = Provider.gitHub("acme", Signed.SECRET);

  @Test
  void tellsEventsApartByTheirDelivery() {
    Item item = Sent.item(PROVIDER, sent(EVENT, "application/json; charset=utf-8"));

    assertThat(item.id()).isEqualTo("72d3162e-cc78-11e3-81ab-4c9367dc0958");
    assertThat(item.type()).isEqualTo("issues");
    assertThat(Sent.text(item)).isEqualTo(EVENT);
  }

  @Test
  void readsFormsAsTheJsonInThem() {
    String form = "payload=" + URLEncoder.encode(EVENT, UTF_8) + "&other=1";

    Item item = Sent.item(PROVIDER, sent(form, "application/x-www-form-urlencoded"));

    assertThat(Sent.text(item)).isEqualTo(EVENT);
    assertThat(item.fingerprint())
        .isEqualTo(Sent.item(PROVIDER, sent(EVENT, "application/json")).fingerprint());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "payload", "payload=%zz", "other={}", "payload="})
  void refusesFormsWithoutAPayload(String form) {
    assertThat(Sent.refusal(PROVIDER, sent(form, "application/x-www-form-urlencoded")))
        .isEqualTo("400 webhook.malformed");
  }

  @Test
  void refusesAnEventWithoutADelivery() {
    assertThat(Sent.refusal(PROVIDER, Signed.hub(EVENT))).isEqualTo("400 webhook.malformed");
  }

  private static Delivery sent(String body, String type) {
    return Signed.hub(
        body,
        "Content-Type",
        type,
        "X-GitHub-Event",
        "issues",
        "X-GitHub-Delivery",
        "72d3162e-cc78-11e3-81ab-4c9367dc0958");
  }
}
