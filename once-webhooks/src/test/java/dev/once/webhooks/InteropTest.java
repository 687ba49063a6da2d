package dev.once.webhooks;

import static dev.once.webhooks.WebhookDatabase.SECRET;
import static dev.once.webhooks.WebhookDatabase.TENANT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.inbox.Delivery;
import dev.once.inbox.Inbox;
import dev.once.inbox.InboxEvent;
import dev.once.inbox.InboxSchema;
import dev.once.inbox.Provider;
import dev.once.jobs.Workers;
import dev.once.webhooks.Receiver.Answer;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.EdECPrivateKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is sent here is accepted by once-inbox, whose verification is tested by itself. */
@SuppressWarnings("try") // Workers work until they are closed.
class InteropTest {
  private static final String NEXT = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

  private final WebhookDatabase database = new WebhookDatabase("webhook_interop");
  private final Receiver receiver = new Receiver();
  private final WebhookSender sender = database.sender().build();
  private final ConcurrentLinkedQueue<InboxEvent> events = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void apply() {
    InboxSchema.apply(database.pool());
  }

  @AfterEach
  void close() {
    receiver.close();
    database.close();
  }

  @Test
  void aReceiverAcceptsAMessageOnceThoughItsAnswerIsLost() {
    Inbox inbox = inbox(SECRET);
    receiver.answers(
        it -> {
          int status = receive(inbox, it);
          return Answer.status(receiver.requests().size() == 1 ? 500 : status);
        });
    send(SECRET);

    assertThat(receiver.requests()).hasSize(2);
    assertThat(events)
        .satisfiesExactly(
            it -> assertThat(it).isInstanceOf(InboxEvent.Accepted.class),
            it -> assertThat(it).isInstanceOf(InboxEvent.Duplicate.class));
  }

  @Test
  void receiversWithTheOldAndTheNewSecretAcceptWhileOneReplacesTheOther() {
    Inbox before = inbox(SECRET);
    Inbox after = inbox(NEXT);
    receiver.answers(
        it -> Answer.status(receive(before, it) == 200 && receive(after, it) == 200 ? 200 : 500));
    send(SECRET, NEXT);

    assertThat(receiver.requests()).hasSize(1);
  }

  @Test
  void aReceiverWithAPublicKeyAccepts() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    byte[] seed = ((EdECPrivateKey) pair.getPrivate()).getBytes().orElseThrow();
    byte[] encoded = pair.getPublic().getEncoded();
    byte[] bare = Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
    String publicKey = "whpk_" + Base64.getEncoder().encodeToString(bare);
    Inbox inbox = inbox(publicKey);
    receiver.answers(it -> Answer.status(receive(inbox, it)));
    send("whsk_" + Base64.getEncoder().encodeToString(seed), SECRET);

    assertThat(receiver.requests()).hasSize(1);
    assertThat(receiver.requests().get(0).header("webhook-signature")).contains("v1a,", " v1,");
  }

  private void send(String... secrets) {
    sender.endpoints().put(WebhookEndpoint.of(TENANT, "billing", receiver.url("billing"), secrets));
    sender.send(WebhookMessage.of(TENANT, "msg_1", "invoice.paid", "{\"type\":\"invoice.paid\"}"));
    try (Workers workers = database.start(sender)) {
      database.awaitIdle();
    }
  }

  private Inbox inbox(String key) {
    return Inbox.builder(database.pool(), database.jobs())
        .provider(Provider.standardWebhooks("receiver", key))
        .listener(events::add)
        .build();
  }

  private static int receive(Inbox inbox, Receiver.Request request) {
    Map<String, String> headers = new HashMap<>();
    request.headers().forEach((name, all) -> headers.put(name, String.join(", ", all)));
    Delivery delivery =
        new Delivery("POST", List.of(), Map.of(), headers, request.body().getBytes(UTF_8));
    return inbox.receive("standard-webhooks", delivery).status();
  }
}
