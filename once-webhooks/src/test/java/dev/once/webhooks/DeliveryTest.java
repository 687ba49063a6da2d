package dev.once.webhooks;

import static dev.once.webhooks.WebhookDatabase.SECRET;
import static dev.once.webhooks.WebhookDatabase.TENANT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.jobs.JobState;
import dev.once.jobs.JobView;
import dev.once.jobs.LetterQuery;
import dev.once.jobs.RetryPolicy;
import dev.once.jobs.Workers;
import dev.once.webhooks.Receiver.Answer;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is sent, when and how often. */
@SuppressWarnings("try") // Workers work until they are closed.
class DeliveryTest {
  private final WebhookDatabase database = new WebhookDatabase("webhook_delivery");
  private final Receiver receiver = new Receiver();
  private final AtomicLong now = new AtomicLong(1_614_265_330);
  private final WebhookSender sender = database.sender().build();

  @AfterEach
  void close() {
    receiver.close();
    database.close();
  }

  @Test
  void everyAttemptHasTheSameIdAndBytesAndATimeOfItsOwn() {
    WebhookSender timed =
        database
            .sender()
            .http(WebhookDatabase.LOCAL.withUserAgent("Acme-Webhooks"))
            .clock(() -> Instant.ofEpochSecond(now.getAndIncrement()))
            .build();
    receiver.answers(it -> Answer.status(receiver.requests().size() < 3 ? 500 : 200));
    timed.endpoints().put(endpoint("billing"));
    timed.send(WebhookMessage.of(TENANT, "msg_1", "invoice.paid", "{ \"n\":\u00e9 1.0 }"));

    try (Workers workers = database.start(timed)) {
      database.awaitIdle();
    }

    List<Receiver.Request> attempts = receiver.requests();
    assertThat(attempts).hasSize(3);
    assertThat(attempts).allSatisfy(it -> assertThat(it.id()).isEqualTo("msg_1"));
    assertThat(attempts).allSatisfy(it -> assertThat(it.body()).isEqualTo("{ \"n\":\u00e9 1.0 }"));
    assertThat(attempts.stream().map(it -> it.header("webhook-timestamp"))).doesNotHaveDuplicates();
    assertThat(attempts.stream().map(it -> it.header("webhook-signature"))).doesNotHaveDuplicates();
    assertThat(attempts.get(0).header("user-agent")).isEqualTo("Acme-Webhooks");
    assertThat(attempts.get(0).header("content-type")).isEqualTo("application/json");
    assertThat(database.heard(WebhookEvent.Failed.class)).hasSize(2);
    assertThat(database.heard(WebhookEvent.Delivered.class))
        .singleElement()
        .matches(it -> it.attempt() == 3);
  }

  @Test
  void anEndpointReceivesItsMessagesInOrderThoughAttemptsFail() {
    AtomicInteger calls = new AtomicInteger();
    receiver.answers(it -> Answer.status(calls.incrementAndGet() % 3 == 0 ? 200 : 503));
    sender.endpoints().put(endpoint("billing"));
    sendAll(20, "billing");

    try (Workers workers = database.start(sender)) {
      database.awaitIdle();
    }

    List<String> received = receiver.idsAt("billing");
    assertThat(received).hasSize(60).isSortedAccordingTo((a, b) -> a.compareTo(b));
  }

  @Test
  void aFailingEndpointBlocksOnlyItself() {
    receiver.answers(it -> Answer.status(it.path().equals("/broken") ? 500 : 200));
    sender.endpoints().put(endpoint("billing"));
    sender.endpoints().put(endpoint("broken"));
    IntStream.range(100, 110).forEach(i -> sender.send(message("msg_" + i)));

    try (Workers workers = database.start(sender)) {
      Polling.until(() -> receiver.idsAt("billing"), it -> it.size() == 10);
      Polling.until(() -> receiver.idsAt("broken"), it -> it.size() > 3);
    }

    assertThat(receiver.idsAt("broken")).containsOnly("msg_100");
  }

  @Test
  void aMessageThatFailsDoesNotStopTheOthersOfAnUnorderedEndpoint() {
    receiver.answers(it -> Answer.status(it.id().equals("msg_100") ? 400 : 200));
    sender.endpoints().put(endpoint("billing").unordered());
    sendAll(10, "billing");

    try (Workers workers = database.start(sender)) {
      for (int i = 101; i < 110; i++) {
        database.awaitState("billing", "msg_" + i, JobState.DONE);
      }
    }

    assertThat(database.job("billing", "msg_100").orElseThrow().state())
        .isNotEqualTo(JobState.DONE);
  }

  @Test
  void waitsAsLongAsABusyReceiverSays() {
    receiver.answers(it -> Answer.status(429).with("Retry-After", "3600"));
    sender.endpoints().put(endpoint("billing"));
    sendAll(1, "billing");

    assertThat(nextAttempt("it answered 429"))
        .isBetween(Duration.ofMinutes(59), Duration.ofMinutes(62));
  }

  @Test
  void waitsUntilTheDateThatABusyReceiverSays() {
    Instant later = Instant.now().plus(Duration.ofHours(2));
    String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(later.atOffset(ZoneOffset.UTC));
    receiver.answers(it -> Answer.status(503).with("Retry-After", date));
    sender.endpoints().put(endpoint("billing"));
    sendAll(1, "billing");

    assertThat(nextAttempt("it answered 503"))
        .isBetween(Duration.ofMinutes(118), Duration.ofMinutes(122));
  }

  @Test
  void aReceiverCannotPostponeAMessageForMoreThanADay() {
    receiver.answers(it -> Answer.status(503).with("Retry-After", "99999999999"));
    sender.endpoints().put(endpoint("billing"));
    sendAll(1, "billing");

    assertThat(nextAttempt("it answered 503"))
        .isBetween(Duration.ofHours(23), Duration.ofHours(25));
  }

  @Test
  void aReceiverThatSaysAtOnceIsStillRetriedByThePolicy() {
    WebhookSender slow =
        database
            .sender()
            .retries(RetryPolicy.DEFAULT.withDelays(Duration.ofHours(1), Duration.ofHours(4)))
            .build();
    receiver.answers(it -> Answer.status(503).with("Retry-After", "0"));
    slow.endpoints().put(endpoint("billing"));
    sendAll(1, "billing");

    assertThat(nextAttempt(slow, "it answered 503"))
        .isBetween(Duration.ofMinutes(59), Duration.ofMinutes(91));
  }

  @Test
  void ignoresARetryAfterThatIsNone() {
    Instant at = Instant.parse("1994-11-06T08:49:37Z");

    assertThat(RetryAfter.parse("Sun, 06 Nov 1994 08:49:47 GMT", at))
        .contains(Duration.ofSeconds(10));
    assertThat(RetryAfter.parse("Sun, 06 Nov 1994 08:49:27 GMT", at)).contains(Duration.ZERO);
    for (String none : List.of("", "-1", "1.5", "soon", "1".repeat(40))) {
      assertThat(RetryAfter.parse(none, at)).as(none).isEmpty();
    }
  }

  @Test
  void followsNoRedirect() {
    receiver.answers(
        it -> Answer.status(307).with("Location", receiver.url("elsewhere").toString()));
    sender.endpoints().put(endpoint("billing"));
    sendAll(1, "billing");

    try (Workers workers = database.start(sender)) {
      database.awaitWaiting("billing", "msg_100", "it answered 307");
    }

    assertThat(receiver.idsAt("elsewhere")).isEmpty();
    assertThatThrownBy(
            () ->
                WebhookHttp.DEFAULT.withClient(
                    HttpClient.newBuilder().followRedirects(Redirect.NORMAL).build()))
        .hasMessage("client must not follow redirects: use Redirect.NEVER");
  }

  @Test
  void aReceiverThatDoesNotAnswerIsRetried() {
    WebhookSender hasty =
        database.sender().http(WebhookDatabase.LOCAL.withTimeout(Duration.ofMillis(200))).build();
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    receiver.answers(
        it -> {
          if (calls.incrementAndGet() == 1) {
            end.await();
          }
          return Answer.status(200);
        });
    hasty.endpoints().put(endpoint("billing"));
    sendAll(1, "billing");

    try (Workers workers = database.start(hasty)) {
      database.awaitIdle();
    }
    end.countDown();

    assertThat(database.heard(WebhookEvent.Failed.class)).isNotEmpty();
    assertThat(receiver.idsAt("billing")).containsOnly("msg_100").hasSizeGreaterThan(1);
  }

  @Test
  void theStatusCountsHoweverLargeTheBodyIs() {
    receiver.answers(it -> Answer.status(200).withBody(1L << 40));
    sender.endpoints().put(endpoint("billing"));
    sendAll(2, "billing");

    try (Workers workers = database.start(sender)) {
      database.awaitIdle();
    }

    assertThat(receiver.idsAt("billing")).containsExactly("msg_100", "msg_101");
  }

  @Test
  void theStatusCountsThoughTheBodyNeverEnds() {
    WebhookSender hasty =
        database.sender().http(WebhookDatabase.LOCAL.withTimeout(Duration.ofMillis(500))).build();
    CountDownLatch end = new CountDownLatch(1);
    receiver.answers(it -> Answer.status(200).withBody(10_000).thenHang(end));
    hasty.endpoints().put(endpoint("billing"));
    sendAll(1, "billing");

    try (Workers workers = database.start(hasty)) {
      database.awaitIdle();
    }
    end.countDown();

    assertThat(receiver.idsAt("billing")).containsExactly("msg_100");
  }

  @Test
  void afterItsLastAttemptAMessageIsADeadLetterThatCanBeSentAgain() {
    WebhookSender impatient =
        database.sender().retries(WebhookDatabase.FAST.withAttempts(3)).build();
    receiver.answers(it -> Answer.status(receiver.requests().size() <= 3 ? 422 : 200));
    impatient.endpoints().put(endpoint("billing"));
    sendAll(3, "billing");
    LetterQuery dead = LetterQuery.of(TENANT).inQueue(WebhookSender.QUEUE);

    try (Workers workers = database.start(impatient)) {
      database.awaitState("billing", "msg_100", JobState.DEAD);
      assertThat(database.jobs().deadLetters().list(dead))
          .singleElement()
          .satisfies(it -> assertThat(it.reason()).contains("it answered 422"));
      assertThat(database.jobs().deadLetters().retryAll(dead, "ann")).hasSize(1);
      database.awaitIdle();
    }

    assertThat(receiver.idsAt("billing"))
        .containsExactly("msg_100", "msg_100", "msg_100", "msg_100", "msg_101", "msg_102");
  }

  @Test
  void aDeliveredMessageIsNotSentAgain() {
    sender.endpoints().put(endpoint("billing"));
    sendAll(1, "billing");
    try (Workers workers = database.start(sender)) {
      database.awaitIdle();
      assertThat(sender.send(message("msg_100")).values())
          .singleElement()
          .matches(it -> it.state() == JobState.DONE);
      database.awaitIdle();
    }

    assertThat(receiver.idsAt("billing")).containsExactly("msg_100");
  }

  private Duration nextAttempt(String reason) {
    return nextAttempt(sender, reason);
  }

  private Duration nextAttempt(WebhookSender by, String reason) {
    try (Workers workers = database.start(by)) {
      JobView waiting = database.awaitWaiting("billing", "msg_100", reason);
      return Duration.between(Instant.now(), waiting.runAt().orElseThrow());
    }
  }

  private WebhookEndpoint endpoint(String id) {
    return WebhookEndpoint.of(TENANT, id, receiver.url(id), SECRET);
  }

  /** Sends messages from msg_100 on. */
  private void sendAll(int count, String endpoint) {
    IntStream.range(100, 100 + count).forEach(i -> sender.send(message("msg_" + i).to(endpoint)));
  }

  private static WebhookMessage message(String id) {
    return WebhookMessage.of(TENANT, id, "invoice.paid", "{\"id\":\"" + id + "\"}");
  }
}
