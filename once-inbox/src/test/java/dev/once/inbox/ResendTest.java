package dev.once.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What providers send again: with small differences, or long after they should. */
class ResendTest {
  private static final long NOW = Sent.NOW.getEpochSecond();
  private static final String OLD = Long.toString(NOW - Duration.ofDays(7).toSeconds() - 1);
  private static final String RECENT = Long.toString(NOW - Duration.ofDays(7).toSeconds());

  private final InboxDatabase database = new InboxDatabase("resend");
  private final Inbox inbox =
      database.inbox(Provider.stripe("acme", Signed.SECRET), WhatsApp.PROVIDER);

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void takesAnEventOfStripeForTheSameHoweverManyWebhooksArePending() {
    String event = "{\"id\":\"evt_1\",\"type\":\"t\",\"amount\":40,\"pending_webhooks\":2}";

    stripe(event);
    stripe(event.replace(":2}", ":1}"));
    stripe(event.replace(",\"pending_webhooks\":2", ""));
    assertThat(database.heard(InboxEvent.Duplicate.class)).hasSize(2);
    assertThat(database.heard(InboxEvent.Conflict.class)).isEmpty();

    stripe(event.replace("40", "4000"));
    assertThat(database.heard(InboxEvent.Conflict.class)).hasSize(1);
  }

  @Test
  void dropsWhatWhatsAppWouldNotSendAnyMore() {
    String old = WhatsApp.message("wamid.old", "hi").replace("1750263773", OLD);
    String recent = WhatsApp.message("wamid.new", "hi").replace("1750263773", RECENT);
    String status = WhatsApp.status("wamid.old", "read").replace("1750263773", OLD);
    String members = "\"messages\":[%s,%s],\"statuses\":[%s]".formatted(old, recent, status);

    assertThat(inbox.receive("whatsapp", WhatsApp.messages(members)).status()).isEqualTo(200);

    assertThat(database.heard(InboxEvent.TooOld.class))
        .extracting(InboxEvent.TooOld::type)
        .containsExactly("message", "status");
    assertThat(database.query("SELECT key FROM once_record"))
        .containsExactly("106540352242922/message/wamid.new");
  }

  @Test
  void dropsAnOldChangeByTheTimeOfItsEntry() {
    Delivery change =
        Signed.hub(
            """
            {"object":"whatsapp_business_account","entry":[{"id":"1","time":%s,\
            "changes":[{"field":"account_update","value":{}}]}]}"""
                .formatted(OLD));

    inbox.receive("whatsapp", change);

    assertThat(database.heard(InboxEvent.TooOld.class)).hasSize(1);
  }

  @Test
  void takesDeliveriesOfBothSecretsOfWhatsAppWhileOneReplacesTheOther() {
    Provider rotating = Provider.whatsApp("acme", List.of("next", Signed.SECRET), "verify-me");
    Delivery delivery = WhatsApp.messages("\"messages\":[" + WhatsApp.message("a", "b") + "]");

    assertThat(Sent.items(rotating, delivery)).hasSize(1);
    assertThat(Sent.refusal(Provider.whatsApp("acme", List.of("next"), "verify-me"), delivery))
        .isEqualTo("401 webhook.signature_invalid");
  }

  @Test
  void readsCallbacksOfMomoWhateverTypeTheyAreSaidToHave() {
    for (String type : List.of("", "text/plain", "application/octet-stream")) {
      Delivery callback =
          Sent.post("{\"status\":\"FAILED\"}", "Content-Type", type, "X-Reference-Id", "r-1");
      assertThat(Sent.item(Provider.mtnMomo("acme"), callback).id()).isEqualTo("r-1/FAILED");
    }
    Delivery bare =
        new Delivery(
            "PUT", List.of("r-1"), Map.of(), Map.of(), "{\"status\":\"FAILED\"}".getBytes(UTF_8));
    assertThat(Sent.items(Provider.mtnMomo("acme"), bare)).hasSize(1);
  }

  @Test
  void answersTheChallengeOfSlackOnlyIfItIsSigned() {
    Provider slack = Provider.slack("acme", Signed.SECRET);
    String body = "{\"type\":\"url_verification\",\"challenge\":\"3eZbrw1aB\"}";
    String mac = Signed.hex(Signed.hmac(Signed.SECRET.getBytes(UTF_8), "v0:" + NOW + ":" + body));
    Delivery challenge =
        Sent.post(body, "X-Slack-Request-Timestamp", "" + NOW, "X-Slack-Signature", "v0=" + mac);

    assertThat(Sent.answer(slack, challenge).body()).isEqualTo("3eZbrw1aB");
    assertThat(Sent.refusal(slack, challenge.withBody(body.replace("3e", "4e").getBytes(UTF_8))))
        .isEqualTo("401 webhook.signature_invalid");
  }

  private void stripe(String event) {
    assertThat(inbox.receive("stripe", Signed.stripe(NOW, event)).status()).isEqualTo(200);
  }
}
