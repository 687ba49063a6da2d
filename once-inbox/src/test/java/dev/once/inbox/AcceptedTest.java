package dev.once.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.StoreException;
import dev.once.jobs.RetryPolicy;
import dev.once.jobs.Workers;
import dev.once.testkit.Sql;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An item that is reported as accepted is processed. */
@SuppressWarnings("try") // Workers work until they are closed.
class AcceptedTest {
  private static final String EXPIRE =
      "UPDATE once_record SET expires_at = clock_timestamp() - interval '1 second'";

  private final InboxDatabase database = new InboxDatabase("accepted");
  private final Inbox inbox = database.inbox(WhatsApp.PROVIDER);

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void processesAnItemThatIsNewAgainThoughItsDeadLetterIsStillThere() throws Exception {
    WebhookHandler broken =
        WebhookHandler.transactional(
                (webhook, connection) -> {
                  throw new IllegalStateException("broken");
                })
            .withRetries(RetryPolicy.DEFAULT.withAttempts(1));
    receive("wamid.1");
    try (Workers workers = start(broken)) {
      database.awaitIdle();
    }
    database.sql().execute(EXPIRE);

    receive("wamid.1");
    try (Workers workers = start(working())) {
      database.awaitIdle();
    }

    assertThat(database.heard(InboxEvent.Accepted.class)).hasSize(2);
    assertThat(database.query("SELECT item FROM processed")).hasSize(1);
  }

  @Test
  void processesAnItemThatIsNewAgainInALeasedHandler() throws Exception {
    WebhookHandler leased =
        WebhookHandler.leased(
            database.once(),
            webhook ->
                database.sql().execute("INSERT INTO processed VALUES ('" + webhook.id() + "')"));
    try (Workers workers = start(leased)) {
      receive("wamid.1");
      database.awaitIdle();
      database.sql().execute(EXPIRE + " WHERE scope LIKE 'webhook:%'");
      receive("wamid.1");
      database.awaitIdle();
    }

    assertThat(database.heard(InboxEvent.Accepted.class)).hasSize(2);
    assertThat(database.query("SELECT item FROM processed")).hasSize(2);
  }

  @Test
  void doesNotAcceptWhatOnlyANewerReleaseCanTellApart() {
    receive("wamid.1");
    database.sql().execute(EXPIRE + ", format = 2");
    database.sql().execute("DELETE FROM once_job");

    assertThatThrownBy(() -> receive("wamid.1")).isInstanceOf(StoreException.class);
  }

  private static WebhookHandler working() {
    return WebhookHandler.transactional(
        (webhook, connection) ->
            Sql.execute(connection, "INSERT INTO processed VALUES ('" + webhook.id() + "')"));
  }

  private void receive(String id) {
    inbox.receive(
        "whatsapp", WhatsApp.messages("\"messages\":[" + WhatsApp.message(id, "hello") + "]"));
  }

  private Workers start(WebhookHandler handler) {
    Workers.Builder workers = Workers.over(database.jobs()).pollInterval(Duration.ofMillis(50));
    return inbox.process(workers, "whatsapp", handler).start();
  }
}
