package dev.once.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A refused sender gets the reason, and nothing is stored. */
class RefusedTest {
  private static final InboxDatabase DATABASE = new InboxDatabase("refused");
  private static final Inbox INBOX =
      DATABASE.inbox(
          WhatsApp.PROVIDER.withMaxBytes(1000),
          Provider.standardWebhooks("acme", Signed.BASE64_SECRET));
  private static final String NOW = String.valueOf(Sent.NOW.getEpochSecond());
  private static final String SECRET_TEXT = "4111-1111-private";
  private static final String BODY = "{\"card\":\"" + SECRET_TEXT + "\"}";

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  static Stream<Arguments> deliveries() {
    Delivery genuine = Signed.standard("msg_1", NOW, BODY);
    Delivery stale = Signed.standard("msg_1", "1614265000", BODY);
    return Stream.of(
        Arguments.of("standard-webhooks", 401, Sent.post(BODY)),
        Arguments.of(
            "standard-webhooks", 401, Signed.with(genuine, "webhook-signature", "v1,AAAA")),
        Arguments.of("standard-webhooks", 401, Signed.with(genuine, "webhook-id", "msg_2")),
        Arguments.of("standard-webhooks", 401, stale),
        Arguments.of("standard-webhooks", 400, Signed.standard("msg_1", NOW, "{" + SECRET_TEXT)),
        Arguments.of("standard-webhooks", 415, Signed.with(genuine, "content-type", "text/xml")),
        Arguments.of("standard-webhooks", 405, Sent.put(BODY)),
        Arguments.of("whatsapp", 413, Signed.hub("{\"x\":\"" + SECRET_TEXT.repeat(100) + "\"}")),
        Arguments.of("nobody", 404, genuine));
  }

  @ParameterizedTest
  @MethodSource("deliveries")
  void leavesNothingBehind(String provider, int status, Delivery delivery) {
    int heard = DATABASE.heard(InboxEvent.Refused.class).size();

    WebhookResponse webhookResponse = INBOX.receive(provider, delivery);

    assertThat(webhookResponse.status()).isEqualTo(status);
    assertThat(webhookResponse.body()).contains("\"code\":\"webhook.").doesNotContain(SECRET_TEXT);
    assertThat(DATABASE.query("SELECT key FROM once_record")).isEmpty();
    assertThat(DATABASE.query("SELECT key FROM once_job")).isEmpty();
    assertThat(DATABASE.heard(InboxEvent.Refused.class)).hasSize(heard + 1);
  }
}
