package dev.once.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No sender signs the media type, and a client that has a genuine delivery can change it. */
class MediaTypeTest {
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final String NOW = Long.toString(Sent.NOW.getEpochSecond());
  private static final String MALFORMED = "400 webhook.malformed";

  @Test
  void readsNoEventOutOfATextInJsonOfGitHub() {
    String title = "x&payload=%7B%22action%22%3A%22published%22%2C%22release%22%3A%7B%7D%7D&y";
    String genuine = "{\"action\":\"opened\",\"issue\":{\"title\":\"%s\"}}".formatted(title);
    Provider gitHub = Provider.gitHub("acme", Signed.SECRET);
    Delivery delivery =
        Signed.hub(genuine, "X-GitHub-Event", "release", "X-GitHub-Delivery", "id-1");

    assertThat(Sent.items(gitHub, delivery)).hasSize(1);
    assertThat(Sent.refusal(gitHub, Signed.with(delivery, "content-type", FORM)))
        .isEqualTo(MALFORMED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\n\t"})
  void readsNoCommandOutOfATextInJsonOfSlack(String space) {
    Provider slack = Provider.slack("acme", Signed.SECRET);
    String genuine =
        space
            + "{\"type\":\"event_callback\",\"event_id\":\"Ev1\",\"event\":{\"type\":\"message\","
            + "\"text\":\"x&command=%2Fdeploy&user_id=U_ADMIN&y\"}}";
    Delivery delivery = slack(genuine);

    assertThat(Sent.item(slack, delivery).id()).isEqualTo("Ev1");
    assertThat(Sent.refusal(slack, Signed.with(delivery, "content-type", FORM)))
        .isEqualTo(MALFORMED);
  }

  @Test
  void readsNoFieldsOutOfATextInJsonOfACustomSender() {
    Provider custom =
        Provider.custom("any", "acme", Signing.hmacSha256("X-Sig", Signed.SECRET), Fields.none())
            .withMediaTypes("application/json", FORM);

    for (String genuine : List.of("{\"a\":\"&id=7&\"}", "[\"&id=7&\"]", "\"&id=7&\"")) {
      String mac = Signed.hex(Signed.hmac(Signed.SECRET.getBytes(UTF_8), genuine));
      Delivery delivery = Sent.post(genuine, "X-Sig", mac);

      assertThat(Sent.items(custom, delivery)).hasSize(1);
      assertThat(Sent.refusal(custom, Signed.with(delivery, "content-type", FORM)))
          .isEqualTo(MALFORMED);
    }
  }

  private static Delivery slack(String body) {
    byte[] mac = Signed.hmac(Signed.SECRET.getBytes(UTF_8), "v0:" + NOW + ":" + body);
    return Sent.post(
        body, "X-Slack-Request-Timestamp", NOW, "X-Slack-Signature", "v0=" + Signed.hex(mac));
  }
}
