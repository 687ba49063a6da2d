package dev.once.webhooks;

import static dev.once.webhooks.WebhookDatabase.SECRET;
import static dev.once.webhooks.WebhookDatabase.TENANT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.testkit.Program;
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

/** Several processes that send, and one that is killed. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("ProcessesTest")
@SuppressWarnings("try") // Programs run until they are closed.
class ProcessesTest {
  private final WebhookDatabase database = new WebhookDatabase("webhook_processes");
  private final Receiver receiver = new Receiver();
  private final WebhookSender sender = database.sender().build();

  @AfterEach
  void close() {
    receiver.close();
    database.close();
  }

  /** The receiver has the message, and the process ends before the job is completed. */
  @Test
  void aMessageIsSentAgainUnderItsIdIfItsProcessIsKilledAfterThePost() throws Exception {
    CountDownLatch hasArrived = new CountDownLatch(1);
    CountDownLatch isKilled = new CountDownLatch(1);
    receiver.answers(
        it -> {
          if (receiver.requests().size() == 1) {
            hasArrived.countDown();
            isKilled.await();
          }
          return Answer.status(200);
        });
    put("billing");
    send(3, "billing");

    try (Program first = start()) {
      hasArrived.await();
      first.kill();
      isKilled.countDown();
    }
    try (Program second = start()) {
      database.awaitIdle();
    }

    assertThat(receiver.idsAt("billing"))
        .containsExactly("msg_100", "msg_100", "msg_101", "msg_102");
  }

  @Test
  void twoProcessesSendEachMessageOnceAndInOrder() throws Exception {
    List<String> endpoints = List.of("a", "b", "c");
    endpoints.forEach(this::put);
    try (Program first = start();
        Program second = start()) {
      endpoints.forEach(it -> send(40, it));
      database.awaitIdle();
    }

    for (String endpoint : endpoints) {
      assertThat(receiver.idsAt(endpoint)).hasSize(40).isSorted();
    }
  }

  @Test
  void theOrderStaysThoughOneOfTwoProcessesIsKilled() throws Exception {
    put("a");
    try (Program first = start();
        Program second = start()) {
      send(60, "a");
      receiver.await(20);
      first.kill();
      database.awaitIdle();
    }

    List<String> received = receiver.idsAt("a");
    assertThat(received).isSorted();
    assertThat(new LinkedHashSet<>(received)).hasSize(60);
    assertThat(received.size()).isLessThanOrEqualTo(61);
  }

  private Program start() throws Exception {
    Program program = Program.start(SenderProcess.class, database.direct());
    program.awaitLine("started");
    return program;
  }

  private void put(String id) {
    sender.endpoints().put(WebhookEndpoint.of(TENANT, id, receiver.url(id), SECRET));
  }

  private void send(int count, String endpoint) {
    IntStream.range(100, 100 + count)
        .mapToObj(i -> WebhookMessage.of(TENANT, "msg_" + i, "invoice.paid", "{}").to(endpoint))
        .forEach(sender::send);
  }
}
