package dev.once.webhooks;

import static dev.once.webhooks.WebhookDatabase.SECRET;
import static dev.once.webhooks.WebhookDatabase.TENANT;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.jobs.JobState;
import dev.once.jobs.Workers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Receivers that answer what is not HTTP, too slowly, or without an end. */
@SuppressWarnings("try") // Workers and receivers work until they are closed.
class HostileReceiverTest {
  private final WebhookDatabase database = new WebhookDatabase("webhook_hostile");

  @AfterEach
  void close() {
    database.close();
  }

  /** The URL may lead to a service whose greeting must not be shown to another party. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-s3cret\r\n\r\n",
        "HTTP/1.1 s3cret\r\n\r\n",
        "HTTP/1.1 200\0s3cret\r\n\r\n",
        "HTTP/1.1 500 s3cret\r\n\r\n",
        "HTTP/1.1 200 OK\r\ns3cret\r\n\r\n",
        "HTTP/1.1 200 OK\r\ns3cret \0: s3cret\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: s3cret\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\ns3cret\r\n",
        "HTTP/1.1 503 OK\r\nRetry-After: s3cret\r\n\r\n",
        "\0\0\0\0\r\n\r\n",
        "\u0016\u0003\u0001",
        ""
      })
  void nothingOfAnAnswerIsStored(String answer) throws Exception {
    WebhookSender sender = database.sender().build();
    try (RawReceiver receiver = new RawReceiver(out -> out.write(answer.getBytes(ISO_8859_1)))) {
      send(sender, receiver, "msg_1");
      try (Workers workers = database.start(sender)) {
        Polling.until(() -> receiver.requests() > 2 || done("msg_1"), it -> it);
        Polling.until(() -> !database.heard(WebhookEvent.class).isEmpty(), it -> it);
      }
    }

    if (!done("msg_1")) { // The status line of some of them is a success.
      assertThat(sender.endpoints().find(TENANT, "billing").orElseThrow().failingSince())
          .isPresent();
    }
    List<String> rows =
        database
            .sql()
            .query(
                """
                SELECT j::text FROM once_job j UNION ALL
                SELECT e::text FROM once_webhook_endpoint e""");
    assertThat(rows + " " + database.heard(WebhookEvent.class)).doesNotContain("s3cret");
  }

  @Test
  void anAnswerThatDripsEndsWithTheTimeout() throws Exception {
    WebhookSender hasty = hasty();
    try (RawReceiver receiver =
        new RawReceiver(
            out -> {
              for (byte b : "HTTP/1.1 200 OK\r\n".repeat(1000).getBytes(ISO_8859_1)) {
                out.write(b);
                out.flush();
                Thread.sleep(50);
              }
            })) {
      send(hasty, receiver, "msg_1");
      try (Workers workers = database.start(hasty)) {
        database.awaitWaiting("billing", "msg_1", "no answer within PT0.5S");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.1 100 Continue\r\n\r\n", "X-Header: x\r\n"})
  void anAnswerWithoutAnEndEndsWithTheTimeout(String part) throws Exception {
    WebhookSender hasty = hasty();
    try (RawReceiver receiver =
        new RawReceiver(
            out -> {
              if (part.startsWith("X-")) {
                out.write("HTTP/1.1 200 OK\r\n".getBytes(ISO_8859_1));
              }
              while (!Thread.interrupted()) {
                out.write(part.getBytes(ISO_8859_1));
              }
            })) {
      send(hasty, receiver, "msg_1");
      try (Workers workers = database.start(hasty)) {
        Polling.until(() -> database.heard(WebhookEvent.Failed.class), it -> it.size() > 1);
      }
    }
    assertThat(done("msg_1")).isFalse();
  }

  /** Its status says everything, so the next message need not wait for the rest. */
  @Test
  void aBodyWithoutAnEndDoesNotDelayTheNextMessage() throws Exception {
    WebhookSender patient =
        database.sender().http(WebhookDatabase.LOCAL.withTimeout(Duration.ofMinutes(5))).build();
    CountDownLatch end = new CountDownLatch(1);
    try (RawReceiver receiver =
        new RawReceiver(
            out -> {
              out.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{".getBytes(ISO_8859_1));
              out.flush();
              end.await();
            })) {
      send(patient, receiver, "msg_1", "msg_2", "msg_3");
      try (Workers workers = database.start(patient)) {
        database.awaitIdle();
      }
      end.countDown();

      assertThat(receiver.requests()).isEqualTo(3);
    }
  }

  private WebhookSender hasty() {
    return database
        .sender()
        .http(WebhookDatabase.LOCAL.withTimeout(Duration.ofMillis(500)))
        .build();
  }

  private static void send(WebhookSender sender, RawReceiver receiver, String... ids) {
    sender.endpoints().put(WebhookEndpoint.of(TENANT, "billing", receiver.url(), SECRET));
    for (String id : ids) {
      sender.send(WebhookMessage.of(TENANT, id, "invoice.paid", "{}"));
    }
  }

  private boolean done(String message) {
    return database.job("billing", message).map(it -> it.state() == JobState.DONE).orElse(true);
  }
}
