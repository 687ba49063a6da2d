package dev.once.webhooks;

import static dev.once.webhooks.WebhookDatabase.SECRET;
import static dev.once.webhooks.WebhookDatabase.TENANT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.jobs.JobState;
import dev.once.jobs.Workers;
import dev.once.webhooks.Receiver.Answer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Endpoints that are not called, and what becomes of their messages. */
@SuppressWarnings("try") // Workers work until they are closed.
class DisabledEndpointTest {
  private final WebhookDatabase database = new WebhookDatabase("webhook_disabled");
  private final Receiver receiver = new Receiver();
  private final WebhookSender sender = database.sender().build();

  @AfterEach
  void close() {
    receiver.close();
    database.close();
  }

  @Test
  void isDisabledAfterDaysWithoutASuccess() {
    receiver.answers(it -> Answer.status(500));
    put("billing");
    sendAll(1);

    try (Workers workers = database.start(sender)) {
      receiver.await(3);
      assertThat(view("billing").isDisabled()).isFalse();
      database.failLonger(Duration.ofDays(5));
      database.awaitSnoozed("billing", "msg_100");
    }

    assertThat(view("billing").disabledReason())
        .contains("it has failed for PT120H or longer: it answered 500");
    assertThat(database.heard(WebhookEvent.Disabled.class))
        .containsExactly(
            new WebhookEvent.Disabled(
                TENANT, "billing", "it has failed for PT120H or longer: it answered 500"));
  }

  @Test
  void aSuccessBeginsTheDaysAgain() {
    receiver.answers(it -> Answer.status(receiver.requests().size() == 1 ? 500 : 200));
    put("billing");
    sendAll(1);

    try (Workers workers = database.start(sender)) {
      database.awaitIdle();
    }

    assertThat(view("billing").failingSince()).isEmpty();
    assertThat(view("billing").lastFailure()).isEmpty();
  }

  @Test
  void isDisabledAtOnceWhenItIsGone() {
    receiver.answers(it -> Answer.status(410));
    put("billing");
    sendAll(3);

    try (Workers workers = database.start(sender)) {
      database.awaitSnoozed("billing", "msg_100");
    }

    assertThat(receiver.requests()).hasSize(1);
    assertThat(view("billing").disabledReason()).contains("it answered 410 Gone");
  }

  @Test
  void messagesWaitAndGoOnInOrderWhenItIsEnabled() {
    put("billing");
    assertThat(sender.endpoints().disable(TENANT, "billing", "its owner asked")).isTrue();
    assertThat(sender.endpoints().disable(TENANT, "billing", "again")).isFalse();
    sendAll(5);

    try (Workers workers = database.start(sender)) {
      assertThat(database.awaitSnoozed("billing", "msg_100").attempt()).isZero();
      assertThat(sender.endpoints().enable(TENANT, "billing", "ann")).isTrue();
      assertThat(sender.endpoints().enable(TENANT, "billing", "ann")).isFalse();
      database.awaitIdle();
    }

    assertThat(receiver.idsAt("billing"))
        .containsExactly("msg_100", "msg_101", "msg_102", "msg_103", "msg_104");
  }

  @Test
  void enablingReleasesTheMessagesOfThatEndpointAlone() {
    for (String id : List.of("a", "a-b", "a0", "b")) {
      sender.endpoints().put(endpoint(id).unordered());
      sender.endpoints().disable(TENANT, id, "off");
      IntStream.range(0, 3).forEach(i -> sender.send(message("msg_" + i).to(id)));
    }

    try (Workers workers = database.start(sender)) {
      for (String id : List.of("a", "a-b", "a0", "b")) {
        IntStream.range(0, 3).forEach(i -> database.awaitSnoozed(id, "msg_" + i));
      }
      sender.endpoints().enable(TENANT, "a", "ann");
      IntStream.range(0, 3).forEach(i -> database.awaitState("a", "msg_" + i, JobState.DONE));
    }

    assertThat(receiver.requests()).hasSize(3);
    assertThat(
            database
                .sql()
                .query(
                    "SELECT key FROM once_job WHERE run_at > clock_timestamp() + interval '9 min'"))
        .hasSize(9);
  }

  @Test
  void aLateAnswerOfAnOldAddressDoesNotDisableTheNewOne() throws Exception {
    CountDownLatch isPut = new CountDownLatch(1);
    receiver.answers(
        it -> {
          if (it.path().equals("/old")) {
            isPut.await();
            return Answer.status(410);
          }
          return Answer.status(200);
        });
    sender.endpoints().put(endpoint("billing", "old"));
    sendAll(1);

    try (Workers workers = database.start(sender)) {
      receiver.await(1);
      sender.endpoints().put(endpoint("billing", "new"));
      isPut.countDown();
      database.awaitIdle();
    }

    assertThat(receiver.idsAt("new")).containsExactly("msg_100");
    assertThat(view("billing").isDisabled()).isFalse();
    assertThat(database.heard(WebhookEvent.Disabled.class)).isEmpty();
  }

  @Test
  void puttingANewAddressDoesNotEnable() {
    put("billing");
    sender.endpoints().disable(TENANT, "billing", "its owner asked");
    sender.endpoints().put(endpoint("billing", "new"));

    assertThat(view("billing").isDisabled()).isTrue();
    assertThat(view("billing").url()).contains(receiver.url("new"));
  }

  @Test
  void aMessageThatWaitedForTooLongIsADeadLetter() {
    WebhookSender impatient = database.sender().maxWait(Duration.ofMinutes(1)).build();
    put("billing");
    sender.endpoints().disable(TENANT, "billing", "its owner asked");
    sendAll(2);
    database.sql().execute("UPDATE once_job SET enqueued_at = enqueued_at - interval '1 minute'");

    try (Workers workers = database.start(impatient)) {
      assertThat(database.awaitState("billing", "msg_100", JobState.DEAD).reason().orElseThrow())
          .contains("it waited for PT1M: its endpoint is disabled: its owner asked");
    }

    assertThat(database.job("billing", "msg_101").orElseThrow().state())
        .isEqualTo(JobState.BLOCKED);
  }

  @Test
  void messagesOfARemovedEndpointAreDroppedAndReported() {
    put("billing");
    sendAll(2);
    assertThat(sender.endpoints().remove(TENANT, "billing")).isTrue();

    try (Workers workers = database.start(sender)) {
      database.awaitIdle();
    }

    assertThat(receiver.requests()).isEmpty();
    assertThat(database.heard(WebhookEvent.Dropped.class))
        .containsExactly(
            new WebhookEvent.Dropped(TENANT, "billing", "msg_100"),
            new WebhookEvent.Dropped(TENANT, "billing", "msg_101"));
  }

  private EndpointView view(String id) {
    return sender.endpoints().find(TENANT, id).orElseThrow();
  }

  private void put(String id) {
    sender.endpoints().put(endpoint(id));
  }

  private WebhookEndpoint endpoint(String id) {
    return endpoint(id, id);
  }

  private WebhookEndpoint endpoint(String id, String path) {
    return WebhookEndpoint.of(TENANT, id, receiver.url(path), SECRET);
  }

  private void sendAll(int count) {
    IntStream.range(100, 100 + count).forEach(i -> sender.send(message("msg_" + i).to("billing")));
  }

  private static WebhookMessage message(String id) {
    return WebhookMessage.of(TENANT, id, "invoice.paid", "{}");
  }
}
