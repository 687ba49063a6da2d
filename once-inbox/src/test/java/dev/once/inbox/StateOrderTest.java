package dev.once.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.jobs.Queue;
import dev.once.jobs.Workers;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Providers report out of order; no object returns to an earlier state. */
@SuppressWarnings("try") // Workers work until they are closed.
class StateOrderTest {
  private final InboxDatabase database = new InboxDatabase("order");
  private final Inbox inbox = database.inbox(WhatsApp.PROVIDER);

  @AfterEach
  void close() {
    database.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void skipsWhatALaterStateHasOvertaken(boolean transactional) throws Exception {
    try (Workers workers = start(handler(transactional))) {
      receive("wamid.1", "read");
      receive("wamid.1", "delivered");
      receive("wamid.2", "sent");
      receive("wamid.2", "failed");
      receive("wamid.2", "read");
    }

    assertThat(states()).containsExactly("wamid.1 read", "wamid.2 sent", "wamid.2 failed");
    assertThat(database.heard(InboxEvent.Overtaken.class)).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void runsTheSameItemAgainAfterItFailed(boolean transactional) throws Exception {
    database.sql().execute("CREATE UNIQUE INDEX failing ON processed (item)");
    database.sql().execute("INSERT INTO processed VALUES ('wamid.1 read')");
    try (Workers workers = start(handler(transactional))) {
      inbox.receive("whatsapp", status("wamid.1", "read"));
      database.awaitRow("SELECT key FROM once_job WHERE attempt > 0 AND reason <> ''");
      database.sql().execute("DELETE FROM processed");
      database.awaitIdle();
    }

    assertThat(states()).containsExactly("wamid.1 read");
  }

  @Test
  void keepsAnEarlierStateFromEndingAfterALaterOne() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    WebhookHandler handler =
        WebhookHandler.transactional(
            (webhook, connection) -> {
              if (webhook.id().endsWith("/sent")) {
                started.countDown();
                goOn.await();
              }
              write(webhook, connection);
            });
    try (Workers workers = start(handler)) {
      inbox.receive("whatsapp", status("wamid.1", "sent"));
      started.await();
      inbox.receive("whatsapp", status("wamid.1", "read"));
      database.awaitRow(
          """
          SELECT pid FROM pg_stat_activity
          WHERE wait_event_type = 'Lock' AND query LIKE '%once_inbox_order%'
          """);
      goOn.countDown();
      database.awaitIdle();
    }

    assertThat(states()).containsExactly("wamid.1 sent", "wamid.1 read");
  }

  private void receive(String id, String status) throws InterruptedException {
    inbox.receive("whatsapp", status(id, status));
    database.awaitIdle();
  }

  private static Delivery status(String id, String status) {
    return WhatsApp.messages("\"statuses\":[" + WhatsApp.status(id, status) + "]");
  }

  private WebhookHandler handler(boolean transactional) {
    return transactional
        ? WebhookHandler.transactional(StateOrderTest::write)
        : WebhookHandler.leased(
            database.once(), webhook -> database.sql().execute(insert(webhook)));
  }

  private static void write(Webhook webhook, Connection connection) throws SQLException {
    Sql.execute(connection, insert(webhook));
  }

  private static String insert(Webhook webhook) {
    String[] id = webhook.id().split("/", -1);
    return "INSERT INTO processed VALUES ('" + id[2] + " " + id[3] + "')";
  }

  private Workers start(WebhookHandler handler) {
    Workers.Builder workers =
        Workers.over(database.jobs())
            .pollInterval(Duration.ofMillis(50))
            .queue(Queue.named("webhook.whatsapp").withSlots(4));
    return inbox.process(workers, "whatsapp", handler).start();
  }

  private List<String> states() {
    return database.query("SELECT item FROM processed");
  }
}
