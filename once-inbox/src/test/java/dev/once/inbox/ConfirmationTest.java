package dev.once.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.inbox.Confirmation.Answer;
import dev.once.jobs.Workers;
import dev.once.testkit.Sql;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A provider that does not sign has to confirm an item before it is processed. */
@SuppressWarnings("try") // Workers work until they are closed.
class ConfirmationTest {
  private static final Provider MOMO = Provider.mtnMomo("acme");
  private static final String CALLBACK =
      "{\"referenceId\":\"r-1\",\"status\":\"SUCCESSFUL\",\"amount\":\"1000\"}";

  private final InboxDatabase database = new InboxDatabase("confirmation");
  private final Inbox inbox = database.inbox(MOMO);
  private final AtomicInteger asked = new AtomicInteger();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void handsOnWhatTheProviderSaysAndNotWhatWasSent() throws Exception {
    try (Workers workers = start(webhook -> new Answer.Confirmed("{\"amount\":\"40\"}"))) {
      receive(CALLBACK);
      receive(CALLBACK);
      database.awaitIdle();
    }

    assertThat(database.query("SELECT item FROM processed")).containsExactly("{\"amount\":\"40\"}");
  }

  @Test
  void doesNothingIfTheProviderDoesNotKnowOfIt() throws Exception {
    try (Workers workers = start(webhook -> new Answer.Refuted("it is FAILED"))) {
      receive(CALLBACK);
      database.awaitIdle();
    }

    assertThat(database.query("SELECT item FROM processed")).isEmpty();
    assertThat(database.heard(InboxEvent.Refuted.class))
        .extracting(InboxEvent.Refuted::reason)
        .containsExactly("it is FAILED");
  }

  @Test
  void asksAgainUntilTheProviderCanTell() throws Exception {
    try (Workers workers = start(webhook -> answerOfTheThirdCall())) {
      receive(CALLBACK);
      database.awaitIdle();
    }

    assertThat(asked).hasValue(3);
    assertThat(database.query("SELECT item FROM processed")).hasSize(1);
  }

  @Test
  void refusesToProcessWithoutAskingBack() {
    WebhookHandler handler = WebhookHandler.transactional((webhook, connection) -> {});

    assertThatThrownBy(() -> inbox.process(Workers.over(database.jobs()), "momo", handler))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("set confirmedBy to query the provider");
  }

  private Answer answerOfTheThirdCall() {
    return asked.incrementAndGet() < 3
        ? new Answer.NotYet(Duration.ofMillis(20))
        : new Answer.Confirmed("{}");
  }

  private void receive(String body) {
    assertThat(inbox.receive("momo", Sent.put(body)).status()).isEqualTo(200);
  }

  private Workers start(Confirmation confirmation) {
    WebhookHandler handler =
        WebhookHandler.transactional(
                (webhook, connection) ->
                    Sql.execute(
                        connection, "INSERT INTO processed VALUES ('" + webhook.text() + "')"))
            .confirmedBy(database.once(), confirmation);
    Workers.Builder workers = Workers.over(database.jobs()).pollInterval(Duration.ofMillis(50));
    return inbox.process(workers, "momo", handler).start();
  }
}
