package dev.once.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.inbox.Confirmation.Answer;
import dev.once.jobs.Workers;
import dev.once.testkit.Sql;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Without a signature, the content of a delivery decides nothing. */
@SuppressWarnings("try") // Workers work until they are closed.
class ForgeryTest {
  private final InboxDatabase database = new InboxDatabase("forgery");
  private final Inbox inbox = database.inbox(Provider.mtnMomo("acme"));
  private final AtomicBoolean paid = new AtomicBoolean();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void actsOnceOnAPaymentWhateverStatusesAreClaimedForIt() throws Exception {
    paid.set(true);
    try (Workers workers = start()) {
      claim("SUCCESSFUL");
      claim("FAILED");
      claim("WHATEVER");
      claim("SOMETHING_ELSE");
      database.awaitIdle();
    }

    assertThat(database.query("SELECT item FROM processed"))
        .containsExactly("{\"status\":\"SUCCESSFUL\"}");
  }

  @Test
  void believesTheProviderAfterALieAboutTheSamePayment() throws Exception {
    try (Workers workers = start()) {
      claim("SUCCESSFUL");
      database.awaitIdle();
      paid.set(true);
      claim("SUCCESSFUL");
      database.awaitIdle();
    }

    assertThat(database.query("SELECT item FROM processed")).hasSize(1);
  }

  private void claim(String status) {
    String callback = "{\"referenceId\":\"r-1\",\"status\":\"" + status + "\"}";
    assertThat(inbox.receive("momo", Sent.put(callback)).status()).isEqualTo(200);
  }

  /** As docs/guides/webhooks.md shows it. */
  private Answer ask(Webhook webhook) {
    return paid.get()
        ? new Answer.Confirmed("{\"status\":\"SUCCESSFUL\"}")
        : new Answer.Refuted("MoMo does not know of it");
  }

  private Workers start() {
    WebhookHandler handler =
        WebhookHandler.transactional(
                (webhook, connection) ->
                    Sql.execute(
                        connection, "INSERT INTO processed VALUES ('" + webhook.text() + "')"))
            .confirmedBy(database.once(), this::ask);
    Workers.Builder workers = Workers.over(database.jobs()).pollInterval(Duration.ofMillis(50));
    return inbox.process(workers, "momo", handler).start();
  }
}
