package dev.once.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.jobs.Workers;
import dev.once.testkit.ConcurrentCalls;
import dev.once.testkit.Sql;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ids that are not signed: a client with a genuine delivery can send it under other ids. */
@SuppressWarnings("try") // Workers work until they are closed.
class SignedKeyTest {
  private static final String EVENT = "{\"action\":\"opened\",\"issue\":{\"number\":7}}";

  private final InboxDatabase database = new InboxDatabase("signed");
  private final Inbox inbox =
      database.inbox(
          Provider.gitHub("acme", Signed.SECRET), Provider.shopify("acme", Signed.SECRET));

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void processesOneSignedBodyOnceUnderFiveIds() throws Exception {
    try (Workers workers = start()) {
      for (int i = 0; i < 5; i++) {
        assertThat(receive("id-" + i, "issues", EVENT)).isEqualTo(200);
      }
      database.awaitIdle();
    }

    assertThat(processed()).containsExactly("id-0 issues");
    assertThat(database.heard(InboxEvent.Duplicate.class)).hasSize(4);
  }

  @Test
  void processesOneSignedBodyOnceUnderManyIdsAtOnce() throws Exception {
    List<Callable<Integer>> calls =
        IntStream.range(0, 20)
            .<Callable<Integer>>mapToObj(i -> () -> receive("id-" + i, "issues", EVENT))
            .toList();

    try (Workers workers = start()) {
      assertThat(ConcurrentCalls.together(calls)).containsOnly(200);
      database.awaitIdle();
    }

    assertThat(processed()).hasSize(1);
  }

  @Test
  void oneSignedBodyUnderManyIdsLeavesNothingBehind() {
    receive("id-0", "issues", EVENT);
    List<String> before = database.query("SELECT key FROM once_record");

    IntStream.range(1, 20).forEach(i -> receive("id-" + i, "issues", EVENT));

    assertThat(database.query("SELECT key FROM once_record")).isEqualTo(before);
    assertThat(database.heard(InboxEvent.Duplicate.class)).hasSize(19);
  }

  @Test
  void processesARedeliveryOnce() throws Exception {
    try (Workers workers = start()) {
      receive("id-1", "issues", EVENT);
      receive("id-1", "issues", EVENT);
      database.awaitIdle();
    }

    assertThat(processed()).hasSize(1);
    assertThat(database.heard(InboxEvent.Duplicate.class)).hasSize(1);
  }

  @Test
  void recordsAnIdThatComesAgainWithAnotherContentAndDoesNotProcessIt() throws Exception {
    String other = EVENT.replace("7", "8");
    try (Workers workers = start()) {
      receive("id-1", "issues", EVENT);
      receive("id-1", "issues", other);
      receive("id-2", "issues", other);
      database.awaitIdle();
    }

    assertThat(database.heard(InboxEvent.Conflict.class)).hasSize(1);
    assertThat(processed()).containsExactlyInAnyOrder("id-1 issues", "id-2 issues");
  }

  @Test
  void acceptsAnItemWhoseIdWasRecordedByAProcessThatStoppedThen() throws Exception {
    receive("id-1", "issues", EVENT);
    database.sql().execute("DELETE FROM once_job");
    database.sql().execute("DELETE FROM once_record WHERE scope = 'webhook:github'");

    try (Workers workers = start()) {
      receive("id-1", "issues", EVENT);
      database.awaitIdle();
    }

    assertThat(processed()).hasSize(1);
  }

  @Test
  void givesNoBodyATypeThatItCannotHave() throws Exception {
    try (Workers workers = start()) {
      receive("id-1", "release", EVENT);
      receive("id-2", "member", EVENT.replace("7", "8"));
      database.awaitIdle();
    }

    assertThat(processed()).containsExactlyInAnyOrder("id-1 unknown", "id-2 member");
  }

  @Test
  void tellsTopicsOfShopifyApartThatHaveOneBody() {
    for (String topic : List.of("orders/create", "orders/paid", "orders/paid")) {
      assertThat(inbox.receive("shopify", shopify(topic)).status()).isEqualTo(200);
    }

    assertThat(database.heard(InboxEvent.Accepted.class))
        .extracting(InboxEvent.Accepted::type)
        .containsExactly("orders/create", "orders/paid");
  }

  @Test
  void takesNoBodyThatShopifyDidNotSignAndEitherSecretWhileOneReplacesTheOther() {
    Delivery delivery = shopify("orders/paid");
    Provider rotating = Provider.shopify("acme", "next", Signed.SECRET);

    assertThat(Sent.item(rotating, delivery).type()).isEqualTo("orders/paid");
    assertThat(Sent.refusal(Provider.shopify("acme", "next"), delivery))
        .isEqualTo("401 webhook.signature_invalid");
    assertThat(Sent.refusal(rotating, delivery.withBody("{}".getBytes(UTF_8))))
        .isEqualTo("401 webhook.signature_invalid");
  }

  private int receive(String id, String type, String body) {
    Delivery delivery = Signed.hub(body, "X-GitHub-Delivery", id, "X-GitHub-Event", type);
    return inbox.receive("github", delivery).status();
  }

  private static Delivery shopify(String topic) {
    byte[] mac = Signed.hmac(Signed.SECRET.getBytes(UTF_8), EVENT);
    return Sent.post(
        EVENT,
        "X-Shopify-Webhook-Id",
        "id of " + topic,
        "X-Shopify-Topic",
        topic,
        "X-Shopify-Hmac-Sha256",
        Base64.getEncoder().encodeToString(mac));
  }

  private Workers start() {
    WebhookHandler handler =
        WebhookHandler.transactional(
            (webhook, connection) ->
                Sql.execute(
                    connection,
                    "INSERT INTO processed VALUES ('"
                        + webhook.id()
                        + " "
                        + webhook.type()
                        + "')"));
    Workers.Builder workers = Workers.over(database.jobs()).pollInterval(Duration.ofMillis(50));
    return inbox.process(workers, "github", handler).start();
  }

  private List<String> processed() {
    return database.query("SELECT item FROM processed");
  }
}
