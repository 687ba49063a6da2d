package dev.once.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InboxListenerTest {
  private final InboxDatabase database = new InboxDatabase("listener");

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void hearsOfEveryRefusal() throws Exception {
    Inbox inbox = database.inbox(WhatsApp.PROVIDER);
    Delivery unsigned = Sent.post("{}");

    inbox.receive("nobody", unsigned, maxBytes -> unsigned.body());
    inbox.receive(
        "whatsapp",
        Signed.with(unsigned, "content-type", "text/plain"),
        maxBytes -> unsigned.body());
    inbox.receive("whatsapp", unsigned, maxBytes -> unsigned.body());

    assertThat(database.heard(InboxEvent.Refused.class))
        .containsExactly(
            new InboxEvent.Refused("unknown", 404),
            new InboxEvent.Refused("whatsapp", 415),
            new InboxEvent.Refused("whatsapp", 401));
  }

  @Test
  void cannotKeepADeliveryFromBeingAccepted() {
    Inbox inbox =
        Inbox.builder(database.dataSource(), database.jobs())
            .provider(WhatsApp.PROVIDER)
            .clock(() -> Sent.NOW)
            .listener(
                event -> {
                  throw new IllegalStateException("broken");
                })
            .build();

    Delivery delivery =
        WhatsApp.messages("\"messages\":[" + WhatsApp.message("wamid.1", "hello") + "]");

    assertThat(inbox.receive("whatsapp", delivery).status()).isEqualTo(200);
  }
}
