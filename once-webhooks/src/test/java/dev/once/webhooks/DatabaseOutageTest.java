package dev.once.webhooks;

import static dev.once.webhooks.WebhookDatabase.SECRET;
import static dev.once.webhooks.WebhookDatabase.TENANT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.embedded.EmbeddedPostgres;
import dev.once.jobs.JobState;
import dev.once.jobs.Workers;
import dev.once.webhooks.Receiver.Answer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The database dies by SIGKILL while messages are sent, and comes back. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("DatabaseOutageTest")
@SuppressWarnings("try") // Workers work until they are closed.
class DatabaseOutageTest {
  private static final int MESSAGES = 10;

  private final EmbeddedPostgres server = EmbeddedPostgres.builder().durable().start();
  private final WebhookDatabase database = new WebhookDatabase("webhook_outage", server);
  private final Receiver receiver = new Receiver();
  private final CountDownLatch isBack = new CountDownLatch(1);

  @AfterEach
  void close() {
    receiver.close();
    database.close();
    server.close();
  }

  /** The receiver has a message, and the database dies before that is recorded. */
  @Test
  void everyMessageArrivesInOrderThoughTheDatabaseDiesDuringACall() throws Exception {
    receiver.answers(it -> restartDuringThe(3, 200));
    send(database.sender().build());

    assertThat(new LinkedHashSet<>(receiver.idsAt("billing"))).hasSize(MESSAGES);
    assertThat(receiver.idsAt("billing")).isSorted().hasSizeLessThan(MESSAGES + 3);
  }

  @Test
  void aFailedCallIsRepeatedThoughTheDatabaseDiesBeforeThatIsRecorded() throws Exception {
    receiver.answers(it -> restartDuringThe(3, 500));
    send(database.sender().build());

    assertThat(new LinkedHashSet<>(receiver.idsAt("billing"))).hasSize(MESSAGES);
    assertThat(receiver.idsAt("billing")).isSorted().hasSizeBetween(MESSAGES + 1, MESSAGES + 3);
  }

  private Answer restartDuringThe(int call, int status) {
    if (receiver.requests().size() != call) {
      return Answer.status(200);
    }
    server.kill();
    server.restart();
    isBack.countDown();
    return Answer.status(status);
  }

  private void send(WebhookSender sender) throws InterruptedException {
    sender.endpoints().put(WebhookEndpoint.of(TENANT, "billing", receiver.url("billing"), SECRET));
    List<String> ids = IntStream.range(100, 100 + MESSAGES).mapToObj(i -> "msg_" + i).toList();
    ids.forEach(it -> sender.send(WebhookMessage.of(TENANT, it, "invoice.paid", "{}")));
    try (Workers workers = database.start(sender)) {
      isBack.await();
      for (String id : ids) {
        database.awaitState("billing", id, JobState.DONE);
      }
    }
  }
}
