package dev.once.client;

import static dev.once.client.Eventually.waitFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.KeyRing;
import dev.once.client.TestServer.Received;
import dev.once.client.TestServer.Reply;
import java.io.File;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class OfflineQueueTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Backoff SHORT =
      new Backoff(Duration.ZERO, Duration.ofMillis(1), Duration.ofMillis(5));

  @TempDir Path folder;
  private final TestServer server = new TestServer();
  private final List<OfflineQueue> queues = new ArrayList<>();
  private final List<QueueEvent> events = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    queues.forEach(OfflineQueue::close);
    server.close();
  }

  @Test
  void tracksSuccessfulOperations() {
    OfflineQueue queue = open();
    String key = "test-key-123";

    assertThat(queue.hasSucceeded(key)).isFalse();
    queue.markSuccess(key);
    assertThat(queue.hasSucceeded(key)).isTrue();
  }

  @Test
  void forgetsSuccessesAndAnswersAfter24HoursAndKeepsWhatFailed() throws Exception {
    server.replies(Reply.of(201), Reply.of(422));
    Operation done = order("boots");
    Operation refused = order("hat");
    try (OfflineQueue queue = builder().open()) {
      queue.enqueue(done);
      queue.awaitResult(done.id(), SOON);
      queue.enqueue(refused);
      queue.awaitResult(refused.id(), SOON);
    }

    elapse(Duration.ofHours(24).minusMinutes(5));
    try (OfflineQueue queue = builder().open()) {
      queue.awaitResult(queue.enqueue(order("scarf")), SOON); // After the purge.
      assertThat(queue.hasSucceeded(done.key())).isTrue();
      assertThat(queue.find(done.id()).orElseThrow().answer()).isPresent();
    }

    elapse(Duration.ofMinutes(10));
    OfflineQueue queue = open();
    waitFor(() -> queue.find(done.id()).isEmpty());
    assertThat(queue.hasSucceeded(done.key())).isFalse();
    assertThat(queue.find(refused.id()).orElseThrow().operation().key()).isEqualTo(refused.key());
  }

  /** The clock of the device cannot be set, so the times in the file move back. */
  private void elapse(Duration time) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("UPDATE success SET at = at - " + time.toMillis());
      statement.executeUpdate(
          "UPDATE operation SET finished_at = finished_at - " + time.toMillis());
    }
  }

  @Test
  void preventsDuplicateOperations() throws Exception {
    OfflineQueue queue = open();
    Operation first = order("boots");
    Operation again = first.copy().key(first.key()).build();

    queue.enqueue(first);
    queue.awaitResult(first.id(), SOON);
    queue.enqueue(again);
    QueuedOperation result = queue.awaitResult(again.id(), SOON);

    assertThat(result.state()).isEqualTo(OperationState.DONE);
    assertThat(server.received()).as("the backend was called once").hasSize(1);
  }

  @Test
  void handlesConcurrentRequests() throws Exception {
    server.replies(Reply.code(409, "CONCURRENT_REQUEST"));
    OfflineQueue queue = open();

    QueuedOperation result = queue.awaitResult(queue.enqueue(order("boots")), SOON);

    assertThat(result.state()).isEqualTo(OperationState.DONE);
    assertThat(server.received()).as("the backend was called twice").hasSize(2);
    assertThat(server.keys()).hasSize(1);
    assertThat(result.attempts()).as("it was not refused").isZero();
  }

  @Test
  void theAnswerIsReadableAfterARestart() throws Exception {
    server.replies(Reply.of(201).body("{\"id\":7}"));
    OfflineQueue queue = open();
    String id = queue.enqueue(order("boots"));
    queue.awaitResult(id, SOON);
    queue.close();

    QueuedOperation result = open().awaitResult(id, SOON);

    assertThat(result.answer().orElseThrow().text()).isEqualTo("{\"id\":7}");
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void anOperationIsStoredBeforeItIsSent() throws Exception {
    OfflineQueue paused = builder().paused().open();
    queues.add(paused);
    Operation operation = order("boots");
    paused.enqueue(operation);
    paused.close();

    OfflineQueue queue = open();
    queue.awaitResult(operation.id(), SOON);

    assertThat(server.received().get(0))
        .isEqualTo(new Received("POST", "/orders", operation.key(), "{\"item\":\"boots\"}", ""));
  }

  @Test
  void aLostAnswerIsAskedForWithTheSameKey() throws Exception {
    server.replies(Reply.lost(), Reply.lost());
    OfflineQueue queue = open();

    QueuedOperation result = queue.awaitResult(queue.enqueue(order("boots")), SOON);

    assertThat(result.state()).isEqualTo(OperationState.DONE);
    assertThat(server.received()).hasSize(3);
    assertThat(server.keys()).hasSize(1);
  }

  @Test
  void beingOfflineUsesUpNoAttempts() throws Exception {
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    OfflineQueue queue = open();
    String id =
        queue.enqueue(Operation.post("http://127.0.0.1:" + free + "/orders").json("{}").build());
    waitFor(() -> events.stream().filter(QueueEvent.Waiting.class::isInstance).count() > 10);

    QueuedOperation waiting = queue.find(id).orElseThrow();

    assertThat(waiting.attempts()).isZero();
    assertThat(waiting.state().isEnd()).isFalse();
    assertThat(queue.isOnline()).isFalse();
    queue.pause();
    waitFor(() -> queue.find(id).orElseThrow().state() == OperationState.PENDING);
    assertThat(queue.find(id).orElseThrow().firstSentAt()).as("nothing was sent").isEmpty();
  }

  @Test
  void aRefusedOperationIsKeptWithItsKeyAndReason() throws Exception {
    server.replies(Reply.code(422, "ITEM_UNKNOWN"));
    OfflineQueue queue = open();
    Operation operation = order("unicorn");

    QueuedOperation result = queue.awaitResult(queue.enqueue(operation), SOON);

    assertThat(result.state()).isEqualTo(OperationState.FAILED);
    assertThat(result.operation().key()).isEqualTo(operation.key());
    assertThat(result.reason()).contains("422 ITEM_UNKNOWN");
    assertThat(result.advice()).contains(Advice.CORRECT);
  }

  @Test
  void resendsUnderTheSameKeyAndRepeatsUnderANewOne() throws Exception {
    server.replies(Reply.of(422), Reply.of(422), Reply.of(201));
    OfflineQueue queue = open();
    String id = queue.enqueue(order("boots"));
    queue.awaitResult(id, SOON);

    queue.resend(id);
    waitFor(() -> server.received().size() == 2);
    queue.awaitResult(id, SOON);
    queue.repeat(id);
    QueuedOperation result = queue.awaitResult(id, SOON);

    assertThat(result.state()).isEqualTo(OperationState.DONE);
    assertThat(server.received().get(0).key()).isEqualTo(server.received().get(1).key());
    assertThat(server.received().get(2).key())
        .isEqualTo(result.operation().key())
        .isNotEqualTo(server.received().get(0).key());
    assertThatThrownBy(() -> queue.resend(id)).hasMessageContaining("is done");
  }

  @Test
  void anEditedOperationGetsANewKeyAndItsAttemptsStartOver() throws Exception {
    OfflineQueue queue = builder().paused().open();
    queues.add(queue);
    Operation operation = order("boots");
    queue.enqueue(operation);

    String id = queue.edit(operation.id(), "application/json", bytes("{\"item\":\"hat\"}"));

    assertThat(id).isEqualTo(operation.id());
    QueuedOperation edited = queue.find(id).orElseThrow();
    assertThat(edited.operation().key()).isNotEqualTo(operation.key());
    assertThat(edited.attempts()).isZero();
    queue.resume();
    queue.awaitResult(id, SOON);
    assertThat(server.received()).extracting(Received::body).containsExactly("{\"item\":\"hat\"}");
  }

  @Test
  void anEditOfAnOperationThatMayHaveBeenSentFollowsIt() throws Exception {
    server.replies(Reply.lost()).otherwise(Reply.lost());
    OfflineQueue queue = open();
    Operation operation = order("boots");
    queue.enqueue(operation);
    waitFor(() -> !server.received().isEmpty());
    queue.pause();
    waitFor(() -> queue.find(operation.id()).orElseThrow().state() == OperationState.PENDING);

    String id = queue.edit(operation.id(), "application/json", bytes("{\"item\":\"hat\"}"));
    server.otherwise(Reply.of(201));
    queue.resume();
    queue.awaitResult(id, SOON);

    assertThat(id).isNotEqualTo(operation.id());
    List<Received> received = server.received();
    assertThat(received.get(received.size() - 2).key()).isEqualTo(operation.key());
    assertThat(received.get(received.size() - 1).body()).isEqualTo("{\"item\":\"hat\"}");
  }

  @Test
  void anEditIsRefusedWhileASendIsInFlight() throws Exception {
    server.otherwise(Reply.of(201).after(500));
    OfflineQueue queue = open();
    Operation operation = order("boots");
    queue.enqueue(operation);
    waitFor(() -> !server.received().isEmpty());

    assertThatThrownBy(() -> queue.edit(operation.id(), "application/json", bytes("{}")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("sending");
  }

  @Test
  void theSameRequestUnderAnotherKeyIsCaught() throws Exception {
    OfflineQueue queue = open();
    Operation first = order("boots");
    queue.enqueue(first);
    queue.awaitResult(first.id(), SOON);

    assertThatThrownBy(() -> queue.enqueue(order("boots")))
        .isInstanceOfSatisfying(
            DuplicateOperationException.class,
            it -> assertThat(it.existingId()).isEqualTo(first.id()));
    queue.enqueue(order("boots"), EnqueueOptions.DEFAULT.allowingDuplicate());
    assertThat(queue.drain(SOON)).isTrue();
    assertThat(server.received()).hasSize(2);
  }

  @Test
  void onePoisonOperationBlocksItsOwnOrderingKeyOnly() throws Exception {
    OfflineQueue queue = builder().concurrency(1).paused().open();
    queues.add(queue);
    server.replies(Reply.of(422));
    String poison = queue.enqueue(withOrderingKey("a", "1"));
    String behind = queue.enqueue(withOrderingKey("a", "2"));
    String other = queue.enqueue(withOrderingKey("b", "3"));
    queue.resume();

    queue.awaitResult(poison, SOON);
    queue.awaitResult(other, SOON);
    assertThat(queue.find(behind).orElseThrow().state()).isEqualTo(OperationState.PENDING);
    queue.drop(poison);
    assertThat(queue.awaitResult(behind, SOON).state()).isEqualTo(OperationState.DONE);
  }

  @Test
  void operationsOfAnOrderingKeyAreSentInOrder() throws Exception {
    OfflineQueue queue = builder().concurrency(8).paused().open();
    queues.add(queue);
    for (int i = 0; i < 30; i++) {
      queue.enqueue(withOrderingKey("a", String.valueOf(i)));
    }
    queue.resume();

    assertThat(queue.drain(SOON)).isTrue();
    assertThat(server.received())
        .extracting(Received::body)
        .containsExactlyElementsOf(
            IntStream.range(0, 30).mapToObj(i -> "{\"item\":\"" + i + "\"}").toList());
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403})
  void credentialsThatAreRefusedParkTheQueueAndDeleteNothing(int status) throws Exception {
    server.replies(Reply.of(status));
    OfflineQueue queue = builder().concurrency(1).paused().open();
    queues.add(queue);
    queue.enqueue(order("boots"));
    queue.enqueue(order("hat"));
    queue.resume();
    waitFor(() -> queue.parked().isPresent());
    queue.close();

    OfflineQueue reopened = open();
    assertThat(reopened.drain(Duration.ofMillis(300))).isFalse();
    assertThat(reopened.count(OperationState.PENDING)).isEqualTo(2);
    assertThat(server.received()).hasSize(1);
    reopened.credentialsChanged();
    assertThat(reopened.drain(SOON)).isTrue();
    assertThat(reopened.count(OperationState.DONE)).isEqualTo(2);
  }

  @Test
  void aGroupIsUndoneInReverseIfAnOperationIsRefused() throws Exception {
    server.replies(Reply.of(201), Reply.of(201), Reply.of(422));
    OfflineQueue queue = open();
    Operation car = order("car");
    Operation rest = order("insurance");
    queue.enqueue(
        OperationGroup.named("trip")
            .and(order("flight"), order("cancel flight"))
            .and(order("hotel"), order("cancel hotel"))
            .and(car, order("cancel car"))
            .and(rest));

    queue.awaitResult(car.id(), SOON);
    assertThat(queue.drain(SOON)).isTrue();

    assertThat(server.received())
        .extracting(Received::body)
        .containsExactly(
            "{\"item\":\"flight\"}",
            "{\"item\":\"hotel\"}",
            "{\"item\":\"car\"}",
            "{\"item\":\"cancel hotel\"}",
            "{\"item\":\"cancel flight\"}");
    assertThat(queue.find(rest.id()).orElseThrow().state()).isEqualTo(OperationState.DROPPED);
    assertThatThrownBy(() -> queue.resend(car.id())).hasMessageContaining("group was undone");
  }

  @Test
  void aGroupThatSucceedsUndoesNothing() throws Exception {
    OfflineQueue queue = open();
    queue.enqueue(
        OperationGroup.named("trip")
            .and(order("flight"), order("cancel flight"))
            .and(order("hotel"), order("cancel hotel")));

    assertThat(queue.drain(SOON)).isTrue();

    assertThat(server.received()).hasSize(2);
    assertThat(queue.count(OperationState.HELD)).isZero();
  }

  @Test
  void aKeyThatTheServerMayHaveForgottenIsNotSentBlindly() throws Exception {
    server.otherwise(Reply.lost());
    OfflineQueue queue = open();
    String id = queue.enqueue(order("boots"));
    waitFor(() -> !server.received().isEmpty());
    queue.close();
    execute("UPDATE operation SET first_sent_at = first_sent_at - 86400000");
    int sent = server.received().size();
    server.otherwise(Reply.of(201));

    QueuedOperation result = open().awaitResult(id, SOON);

    assertThat(result.state()).isEqualTo(OperationState.FAILED);
    assertThat(result.advice()).contains(Advice.CHECK_FIRST);
    assertThat(server.received()).hasSize(sent);
  }

  @Test
  void aLookupDecidesAboutAForgottenKey() throws Exception {
    server.otherwise(Reply.lost());
    OfflineQueue queue = open();
    String id = queue.enqueue(order("boots"));
    waitFor(() -> !server.received().isEmpty());
    queue.close();
    execute("UPDATE operation SET first_sent_at = first_sent_at - 86400000");
    int sent = server.received().size();

    OfflineQueue reopened = builder().lookup(operation -> OutcomeLookup.Outcome.TOOK_EFFECT).open();
    queues.add(reopened);

    assertThat(reopened.awaitResult(id, SOON).state()).isEqualTo(OperationState.DONE);
    assertThat(server.received()).hasSize(sent);
  }

  @Test
  void severalProcessesMayShareAFile() throws Exception {
    OfflineQueue one = builder().paused().open();
    OfflineQueue two = builder().paused().open();
    queues.addAll(List.of(one, two));
    for (int i = 0; i < 20; i++) {
      (i % 2 == 0 ? one : two).enqueue(order("item " + i));
    }
    one.resume();
    two.resume();

    assertThat(one.drain(SOON)).isTrue();
    assertThat(server.received()).hasSize(20);
    assertThat(two.count(OperationState.DONE)).isEqualTo(20);
  }

  @Test
  void anAnswerThatIsNotTheLastWordIsAskedForAgainUpToALimit() throws Exception {
    server.otherwise(Reply.of(503));
    OfflineQueue queue = open();

    QueuedOperation result = queue.awaitResult(queue.enqueue(order("boots")), SOON);

    assertThat(result.state()).isEqualTo(OperationState.FAILED);
    assertThat(result.advice()).contains(Advice.SEND_AGAIN);
    assertThat(server.received()).hasSize(5);
  }

  @Test
  void sealsWhatItStores() throws Exception {
    KeyRing ring = KeyRing.of("k1", new byte[32]);
    OfflineQueue sealed = builder().sealedWith(ring).paused().open();
    queues.add(sealed);
    String id = sealed.enqueue(order("a very private thing"));
    sealed.close();

    for (File file : Objects.requireNonNull(folder.toFile().listFiles())) {
      assertThat(Files.readString(file.toPath(), StandardCharsets.ISO_8859_1))
          .doesNotContain("a very private thing");
    }
    OfflineQueue other = builder().sealedWith(KeyRing.of("k2", new byte[32])).open();
    queues.add(other);
    assertThat(other.awaitResult(id, SOON).reason().orElseThrow()).contains("another secret");
    other.close();
    OfflineQueue reopened = builder().sealedWith(ring).open();
    queues.add(reopened);
    reopened.resend(id);
    assertThat(reopened.awaitResult(id, SOON).state()).isEqualTo(OperationState.DONE);
  }

  @Test
  void aDamagedFileIsReportedAndLeftAlone() throws Exception {
    OfflineQueue queue = builder().paused().open();
    queues.add(queue);
    for (int i = 0; i < 100; i++) {
      queue.enqueue(order("item " + i));
    }
    queue.close();
    byte[] content = Files.readAllBytes(file());
    for (int i = 4096; i < content.length; i++) {
      content[i] ^= 0x5a;
    }
    Files.write(file(), content);

    assertThatThrownBy(this::open)
        .isInstanceOf(QueueException.class)
        .hasMessageContaining("queue.db");
    assertThat(Files.readAllBytes(file())).isEqualTo(content);
  }

  @Test
  void aFullDiskIsReportedAndLosesNothing() throws Exception {
    OfflineQueue queue = builder().maxBytes(256 << 10).paused().open();
    queues.add(queue);
    queue.enqueue(order("boots"));

    // Twice the limit: SQLite answers as if the disk were full.
    assertThatThrownBy(() -> queue.enqueue(order("a large thing " + "x".repeat(1 << 20))))
        .isInstanceOf(QueueException.class)
        .hasMessageContaining("SQLITE_FULL");
    queue.resume();
    assertThat(queue.drain(SOON)).isTrue();
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void aFullQueueRefusesOperationsAndSendsThoseItHas() throws Exception {
    OfflineQueue queue = builder().maxBytes(256 << 10).paused().open();
    queues.add(queue);
    String text = "x".repeat(20_000);

    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 100; i++) {
                queue.enqueue(order(i + text));
              }
            })
        .isInstanceOf(QueueException.class)
        .hasMessageContaining("is full");
    long accepted = queue.count(OperationState.PENDING);
    queue.resume();
    assertThat(queue.drain(SOON)).isTrue();
    assertThat(server.received()).hasSize((int) accepted);
    assertThat(queue.count(OperationState.DONE)).isEqualTo(accepted);
  }

  @Test
  void aNewerFileIsNotTouched() throws Exception {
    open().close();
    execute("PRAGMA user_version = 99");

    assertThatThrownBy(this::open).hasMessageContaining("newer release");
  }

  @Test
  void tellsAUserInterfaceWhatHappens() throws Exception {
    server.replies(Reply.of(503));
    OfflineQueue queue = open();
    queue.awaitResult(queue.enqueue(order("boots")), SOON);
    waitFor(() -> events.stream().anyMatch(QueueEvent.Ended.class::isInstance));

    assertThat(events)
        .extracting(it -> it.getClass().getSimpleName())
        .contains("Enqueued")
        .containsSubsequence("Sending", "Waiting", "Sending", "Ended");
  }

  private void execute(String sql) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private OfflineQueue open() {
    OfflineQueue queue = builder().open();
    queues.add(queue);
    return queue;
  }

  private OfflineQueue.Builder builder() {
    AtomicReference<Map<String, String>> none = new AtomicReference<>(Map.of());
    RetryRules rules =
        RetryRules.mobile().toBuilder().inFlightPause(Duration.ofMillis(1)).backoff(SHORT).build();
    OnceHttpClient client =
        OnceHttpClient.builder(rules)
            .attemptTimeout(Duration.ofSeconds(2))
            .credentials(none::get)
            .build();
    return OfflineQueue.builder(file(), client).backoff(SHORT).listener(events::add);
  }

  private Path file() {
    return folder.resolve("queue.db");
  }

  private Operation order(String item) {
    return Operation.post(server.url("/orders")).json("{\"item\":\"" + item + "\"}").build();
  }

  private Operation withOrderingKey(String orderingKey, String item) {
    return Operation.post(server.url("/orders"))
        .json("{\"item\":\"" + item + "\"}")
        .orderingKey(orderingKey)
        .build();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
