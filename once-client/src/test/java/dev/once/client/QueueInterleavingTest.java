package dev.once.client;

import static dev.once.client.Eventually.waitFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.client.TestServer.Received;
import dev.once.client.TestServer.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What can happen between two steps of a sender. */
@Timeout(60)
class QueueInterleavingTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Backoff SHORT =
      new Backoff(Duration.ZERO, Duration.ofMillis(1), Duration.ofMillis(5));

  @TempDir Path folder;
  private final TestServer server = new TestServer();
  private final List<OfflineQueue> queues = new ArrayList<>();
  private final List<QueueEvent> events = new CopyOnWriteArrayList<>();
  private RetryRules rules = RetryRules.mobile().toBuilder().backoff(SHORT).build();
  private Supplier<Map<String, String>> credentials = Map::of;
  private Duration attemptTimeout = Duration.ofSeconds(2);

  @AfterEach
  void close() {
    queues.forEach(OfflineQueue::close);
    server.close();
  }

  @Test
  void credentialsThatCannotBeHadAreNotASend() throws Exception {
    rules = RetryRules.plain();
    AtomicInteger calls = new AtomicInteger();
    credentials =
        () -> {
          if (calls.getAndIncrement() == 0) {
            throw new IllegalStateException("no token yet");
          }
          return Map.of();
        };
    OfflineQueue queue = open(builder());

    QueuedOperation ended = queue.awaitResult(queue.enqueue(order("boots")), SOON);

    assertThat(ended.state()).isEqualTo(OperationState.DONE);
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void anErrorOfTheCredentialsIsNotASend() throws Exception {
    rules = RetryRules.plain();
    AtomicInteger calls = new AtomicInteger();
    credentials =
        () -> {
          if (calls.getAndIncrement() == 0) {
            throw new NoClassDefFoundError("Token");
          }
          return Map.of();
        };
    OfflineQueue queue = open(builder());

    QueuedOperation ended = queue.awaitResult(queue.enqueue(order("boots")), SOON);

    assertThat(ended.state()).isEqualTo(OperationState.DONE);
  }

  @Test
  void credentialsThatNeedANetworkThatIsNotThereUseUpNoAttempts() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    credentials =
        () -> {
          if (calls.getAndIncrement() < 12) {
            throw new UncheckedIOException(new IOException("no route to the token server"));
          }
          return Map.of();
        };
    OfflineQueue queue = open(builder());

    QueuedOperation ended = queue.awaitResult(queue.enqueue(order("boots")), SOON);

    assertThat(ended.state()).isEqualTo(OperationState.DONE);
    assertThat(ended.attempts()).isZero();
  }

  @Test
  void droppingAMemberUndoesAnotherOneThatMayHaveTakenEffect() throws Exception {
    server.otherwise(Reply.of(503));
    OfflineQueue queue = open(builder());
    Operation flight = order("flight");
    Operation hotel = order("hotel");
    queue.enqueue(OperationGroup.named("trip").and(flight, order("cancel flight")).and(hotel));
    queue.awaitResult(flight.id(), SOON);
    server.otherwise(Reply.of(201));

    queue.drop(hotel.id());

    assertThat(queue.drain(SOON)).isTrue();
    assertThat(server.received())
        .extracting(Received::body)
        .contains("{\"item\":\"cancel flight\"}");
  }

  @Test
  void aRowWithALengthBelowZeroBlocksNothingElse() throws Exception {
    OfflineQueue paused = open(builder().paused());
    String poison = paused.enqueue(order("poison"));
    String healthy = paused.enqueue(order("healthy"));
    paused.close();
    execute("UPDATE operation SET request = x'01ffffffff' WHERE id = '" + poison + "'");

    OfflineQueue queue = open(builder());

    assertThat(queue.awaitResult(healthy, SOON).state()).isEqualTo(OperationState.DONE);
    assertThat(queue.awaitResult(poison, SOON).advice()).contains(Advice.CHECK_FIRST);
  }

  @Test
  void anOutcomeThatCannotBeStoredAtOnceIsStoredLater() throws Exception {
    rules = RetryRules.plain();
    CountDownLatch trouble = new CountDownLatch(1);
    OfflineQueue queue =
        open(
            builder()
                .listener(
                    event -> {
                      if (event instanceof QueueEvent.Trouble) {
                        trouble.countDown();
                      }
                    }));
    // As while the disk is full.
    execute(
        "CREATE TRIGGER full BEFORE UPDATE ON operation WHEN NEW.state = 'done'"
            + " BEGIN SELECT RAISE(ABORT, 'full'); END");
    String id = queue.enqueue(order("boots"));
    trouble.await();
    execute("DROP TRIGGER full");

    assertThat(queue.awaitResult(id, SOON).state()).isEqualTo(OperationState.DONE);
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void aSenderThatWasStoppedBeforeItsAttemptDoesNotSendAfterAnotherOne() throws Exception {
    attemptTimeout = Duration.ofMillis(200);
    CountDownLatch isStopped = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    OfflineQueue first =
        open(
            builder()
                .concurrency(1)
                .listener(
                    event -> {
                      if (event instanceof QueueEvent.Sending) {
                        isStopped.countDown();
                        awaitUninterrupted(goesOn);
                      }
                    }));
    String id = first.enqueue(order("boots"));
    isStopped.await();
    open(builder()).awaitResult(id, SOON);

    goesOn.countDown();
    first.awaitResult(first.enqueue(order("hat")), SOON);

    assertThat(server.received())
        .extracting(Received::body)
        .containsExactlyInAnyOrder("{\"item\":\"boots\"}", "{\"item\":\"hat\"}");
  }

  @Test
  void aSuccessThatComesAfterAnotherSendersClaimIsRemembered() throws Exception {
    rules = RetryRules.plain();
    server.otherwise(Reply.of(201).after(300));
    OfflineQueue queue = open(builder());
    Operation boots = order("boots");
    queue.enqueue(boots);
    waitFor(() -> !server.received().isEmpty());
    // As when another process took over and cannot know.
    execute("UPDATE operation SET state = 'failed', advice = 'CHECK_FIRST', fence = fence + 1");
    waitFor(() -> queue.hasSucceeded(boots.key()));

    queue.resend(boots.id());

    assertThat(queue.awaitResult(boots.id(), SOON).state()).isEqualTo(OperationState.DONE);
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void aSuccessThatComesAfterTheLeaseKeepsItsAnswer() throws Exception {
    server.otherwise(Reply.of(201).body("{\"id\":7}").after(300));
    OfflineQueue queue = open(builder());
    String id = queue.enqueue(order("boots"));
    waitFor(() -> !server.received().isEmpty());
    queue.pause();
    // As when another process noticed that the lease is over, and sent something else.
    execute("UPDATE operation SET state = 'pending', next_attempt_at = 0");

    assertThat(queue.awaitResult(id, SOON).answer().orElseThrow().text()).isEqualTo("{\"id\":7}");
  }

  @Test
  void anAttemptThatSeemsToBeInTheFutureMayBeForgotten() throws Exception {
    server.otherwise(Reply.lost());
    OfflineQueue queue = open(builder());
    String id = queue.enqueue(order("boots"));
    waitFor(() -> !server.received().isEmpty());
    queue.close();
    // The clock was set back by two days: how long ago it was cannot be known.
    execute("UPDATE operation SET first_sent_at = first_sent_at + 2 * 86400000");
    int sent = server.received().size();
    server.otherwise(Reply.of(201));

    QueuedOperation ended = open(builder()).awaitResult(id, SOON);

    assertThat(ended.advice()).contains(Advice.CHECK_FIRST);
    assertThat(server.received()).hasSize(sent);
  }

  @Test
  void whatOneContractSentIsNotSentByAnother() throws Exception {
    server.otherwise(Reply.lost());
    OfflineQueue queue = open(builder());
    String id = queue.enqueue(order("boots"));
    waitFor(() -> !server.received().isEmpty());
    queue.close();
    RetryRules mobile = rules;
    rules = RetryRules.ietf(); // The server would take the quoted key for another one.

    assertThatThrownBy(() -> open(builder()))
        .isInstanceOf(QueueException.class)
        .hasMessageContaining("mobile")
        .hasMessageContaining("ietf");
    OfflineQueue paused = open(builder().paused());
    assertThat(paused.list()).as("it can be looked at").hasSize(1);
    assertThatThrownBy(paused::resume).isInstanceOf(QueueException.class);
    rules = mobile;
    server.otherwise(Reply.of(201));
    assertThat(open(builder()).awaitResult(id, SOON).state()).isEqualTo(OperationState.DONE);
  }

  @Test
  void aQueueOfWhichNothingWasSentMayChangeItsContract() throws Exception {
    OfflineQueue queue = open(builder());
    queue.pause();
    String id = queue.enqueue(order("boots"));
    queue.close();
    rules = RetryRules.ietf();

    assertThat(open(builder()).awaitResult(id, SOON).state()).isEqualTo(OperationState.DONE);
  }

  @Test
  void aProcessWhoseContractWasReplacedSendsNothing() throws Exception {
    OfflineQueue first = open(builder());
    rules = RetryRules.ietf();
    OfflineQueue second = open(builder());
    second.pause();

    first.enqueue(order("boots"));
    waitFor(() -> events.stream().anyMatch(QueueEvent.Trouble.class::isInstance));

    assertThat(server.received()).isEmpty();
    second.resume();
    assertThat(second.drain(SOON)).isTrue();
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    boolean isInterrupted = false;
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void execute(String sql) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA busy_timeout = 10000");
      statement.execute(sql);
    }
  }

  private OfflineQueue open(OfflineQueue.Builder builder) {
    OfflineQueue queue = builder.open();
    queues.add(queue);
    return queue;
  }

  private OfflineQueue.Builder builder() {
    OnceHttpClient client =
        OnceHttpClient.builder(rules)
            .attemptTimeout(attemptTimeout)
            .credentials(credentials)
            .build();
    return OfflineQueue.builder(file(), client).backoff(SHORT).listener(events::add);
  }

  private Path file() {
    return folder.resolve("queue.db");
  }

  private Operation order(String item) {
    return Operation.post(server.url("/orders")).json("{\"item\":\"" + item + "\"}").build();
  }
}
