package dev.once.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.jobs.LetterQuery;
import dev.once.jobs.RetryPolicy;
import dev.once.jobs.Workers;
import dev.once.testkit.ConcurrentCalls;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // Workers work until they are closed.
class InboxTest {
  private static final Provider WHATSAPP = WhatsApp.PROVIDER;

  private final InboxDatabase database = new InboxDatabase("inbox");
  private final Inbox inbox = database.inbox(WHATSAPP);

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void remembersAnItemAndEnqueuesItBeforeItSaysSo() {
    WebhookResponse webhookResponse = receive(message("wamid.1", "hello"));

    assertThat(webhookResponse.status()).isEqualTo(200);
    assertThat(database.query("SELECT tenant || ' ' || scope || ' ' || state FROM once_record"))
        .containsExactly("acme webhook:whatsapp completed");
    assertThat(database.query("SELECT queue || ' ' || type || ' ' || state FROM once_job"))
        .containsExactly("webhook.whatsapp webhook ready");
    assertThat(database.heard(InboxEvent.Accepted.class)).hasSize(1);
  }

  @Test
  void processesOnceWhatIsSentFiftyTimesAtOnce() throws Exception {
    Delivery delivery = message("wamid.1", "hello");

    try (Workers workers = start(WebhookHandler.transactional(InboxTest::write))) {
      List<Integer> statuses =
          ConcurrentCalls.together(
              ConcurrentCalls.times(50, () -> inbox.receive("whatsapp", delivery).status()));
      database.awaitIdle();

      assertThat(statuses).hasSize(50).containsOnly(200);
    }

    assertThat(processed()).containsExactly("106540352242922/message/wamid.1");
    assertThat(database.heard(InboxEvent.Accepted.class)).hasSize(1);
    assertThat(database.heard(InboxEvent.Duplicate.class)).hasSize(49);
  }

  @Test
  void processesOnceWhatComesInSeveralBatchesOfAThousand() throws Exception {
    try (Workers workers = start(WebhookHandler.transactional(InboxTest::write))) {
      List<Integer> statuses =
          ConcurrentCalls.together(
              List.of(
                  () -> receive(batch(0, 1000)).status(),
                  () -> receive(batch(500, 1500)).status(),
                  () -> receive(batch(0, 1000)).status()));
      database.awaitIdle();

      assertThat(statuses).containsOnly(200);
    }

    assertThat(processed()).hasSize(1500).doesNotHaveDuplicates();
    assertThat(database.heard(InboxEvent.Accepted.class)).hasSize(1500);
    assertThat(database.heard(InboxEvent.Duplicate.class)).hasSize(1500);
  }

  @Test
  void recordsTheSameIdWithAnotherContentAndDoesNotProcessIt() throws Exception {
    try (Workers workers = start(WebhookHandler.transactional(InboxTest::write))) {
      receive(message("wamid.1", "pay 40"));
      assertThat(receive(message("wamid.1", "pay 4000")).status()).isEqualTo(200);
      receive(message("wamid.1", "pay 4000"));
      database.awaitIdle();
    }

    assertThat(processed()).hasSize(1);
    assertThat(database.heard(InboxEvent.Conflict.class)).hasSize(2);
    assertThat(
            database.query("SELECT key FROM once_record WHERE scope = 'webhook_conflict:whatsapp'"))
        .hasSize(1)
        .allMatch(it -> it.startsWith("106540352242922/message/wamid.1@"));
  }

  @Test
  void letsAPoisonItemDieAloneAndBeDrivenAgain() throws Exception {
    String two = WhatsApp.message("wamid.1", "hello") + ",{\"no\":\"id\"}";
    WebhookHandler handler =
        WebhookHandler.transactional(InboxTest::writeMessages)
            .withRetries(RetryPolicy.DEFAULT.withAttempts(1));

    try (Workers workers = start(handler)) {
      assertThat(receive(WhatsApp.messages("\"messages\":[" + two + "]")).status()).isEqualTo(200);
      database.awaitIdle();
    }
    assertThat(processed()).hasSize(1);

    LetterQuery letters = LetterQuery.of("acme").inQueue(Inbox.queueOf(WHATSAPP));
    assertThat(database.jobs().deadLetters().retryAll(letters, "operator")).hasSize(1);
    try (Workers workers = start(WebhookHandler.transactional(InboxTest::write))) {
      database.awaitIdle();
    }
    assertThat(processed()).hasSize(2);
  }

  @Test
  void remembersForLongerThanItsProviderSendsAgain() {
    receive(message("wamid.1", "hello"));

    assertThat(
            database.query(
                "SELECT key FROM once_record WHERE expires_at > created_at + interval '7 days'"))
        .hasSize(1);
  }

  @Test
  void givesItemsToTheTenantsOfTheirAccounts() {
    Inbox shared = database.inbox(WHATSAPP.withTenants(Map.of(WhatsApp.PHONE, "globex")));

    shared.receive("whatsapp", message("wamid.1", "hello"));

    assertThat(database.query("SELECT tenant FROM once_record")).containsExactly("globex");
    assertThat(database.query("SELECT tenant FROM once_job")).containsExactly("globex");
  }

  @Test
  void keepsABodyOnlyIfToldToAndThenRedacted() {
    Inbox keeping = database.inbox(WHATSAPP.withBodyKept());

    receive(message("wamid.1", "hello"));
    keeping.receive("whatsapp", message("wamid.2", "call +1 650 555 1234"));

    List<String> bodies =
        database.query("SELECT convert_from(body, 'UTF8') FROM once_record ORDER BY key");
    assertThat(bodies.get(0)).isEqualTo("null");
    assertThat(bodies.get(1)).contains("wamid.2").doesNotContain("6505551234", "555 1234");
    assertThat(database.query("SELECT correlation FROM once_record"))
        .allMatch(it -> it.matches("body-sha256: [0-9a-f]{64}\n"));
  }

  private WebhookResponse receive(Delivery delivery) {
    return inbox.receive("whatsapp", delivery);
  }

  private static Delivery message(String id, String text) {
    return WhatsApp.messages("\"messages\":[" + WhatsApp.message(id, text) + "]");
  }

  private static Delivery batch(int from, int to) {
    return WhatsApp.messages(
        IntStream.range(from, to)
            .mapToObj(i -> WhatsApp.message("wamid." + i, "hello"))
            .collect(Collectors.joining(",", "\"messages\":[", "]")));
  }

  private Workers start(WebhookHandler handler) {
    Workers.Builder workers = Workers.over(database.jobs()).pollInterval(Duration.ofMillis(50));
    return inbox.process(workers, "whatsapp", handler).start();
  }

  private static void write(Webhook webhook, Connection connection) throws SQLException {
    Sql.execute(
        connection,
        "INSERT INTO processed VALUES ('" + webhook.id() + "', '" + webhook.tenant() + "')");
  }

  private static void writeMessages(Webhook webhook, Connection connection) throws SQLException {
    if (!webhook.type().equals("message")) {
      throw new IllegalStateException("what is this?");
    }
    write(webhook, connection);
  }

  private List<String> processed() {
    return database.query("SELECT item FROM processed");
  }
}
