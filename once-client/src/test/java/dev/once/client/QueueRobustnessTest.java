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
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Damaged rows, clocks, interrupts, large answers, and groups that end in odd moments. */
@Timeout(60)
class QueueRobustnessTest {
  private static final Duration SOON = Duration.ofSeconds(6);
  private static final Backoff SHORT =
      new Backoff(Duration.ZERO, Duration.ofMillis(1), Duration.ofMillis(5));

  private static final Duration LONG = Duration.ofHours(1);

  @TempDir Path folder;
  private final TestServer server = new TestServer();
  private final List<OfflineQueue> queues = new ArrayList<>();
  private final List<QueueEvent> events = new CopyOnWriteArrayList<>();
  private final AtomicReference<Map<String, String>> credentials = new AtomicReference<>(Map.of());
  private RetryRules rules =
      RetryRules.mobile().toBuilder().inFlightPause(Duration.ofMillis(1)).backoff(SHORT).build();

  @AfterEach
  void close() {
    queues.forEach(OfflineQueue::close);
    server.close();
  }

  @Test
  void aRowThatCannotBeDecodedBlocksNothingElse() throws Exception {
    OfflineQueue paused = open(builder().paused());
    String poison = paused.enqueue(order("poison"));
    String healthy = paused.enqueue(order("healthy"));
    paused.close();
    execute("UPDATE operation SET request = x'01ff' WHERE id = '" + poison + "'");

    OfflineQueue queue = open(builder());

    assertThat(queue.awaitResult(healthy, SOON).state()).isEqualTo(OperationState.DONE);
  }

  @Test
  void anOperationWithTheMostHeadersBlocksNothingElse() throws Exception {
    OfflineQueue queue = open(builder());
    Operation.Builder many = Operation.delete(server.url("/orders/1"));
    for (int i = 0; i < 50; i++) {
      many.header("X-H" + i, "v");
    }
    queue.enqueue(many.build());
    String healthy = queue.enqueue(order("healthy"));

    assertThat(queue.awaitResult(healthy, SOON).state()).isEqualTo(OperationState.DONE);
  }

  @Test
  void sealingAnExistingQueueStillSends() throws Exception {
    OfflineQueue paused = open(builder().paused());
    paused.enqueue(order("plain"));
    paused.close();

    OfflineQueue queue = open(builder().sealedWith(KeyRing.of("k1", new byte[32])));
    String sealed = queue.enqueue(order("sealed"));

    assertThat(queue.awaitResult(sealed, SOON).state()).isEqualTo(OperationState.DONE);
  }

  @Test
  void aRequestWithoutBodyIsStoredAsItIs() throws Exception {
    OfflineQueue queue = open(builder().paused());
    Operation delete = Operation.delete(server.url("/orders/1")).build();
    queue.enqueue(delete);

    assertThat(queue.find(delete.id()).orElseThrow().operation().headers())
        .isEqualTo(delete.headers());
  }

  @Test
  void headersOfTheConnectionAreRefused() {
    Operation.Builder operation = Operation.post(server.url("/orders"));

    assertThatThrownBy(() -> operation.header("Connection", "close"))
        .hasMessageContaining("Connection");
  }

  @Test
  void credentialsThatCannotBeHadFailTheOperationInTheEnd() throws Exception {
    credentials.set(Map.of("Authorization", "Bearer s3cret\n"));
    OfflineQueue queue = open(builder());

    QueuedOperation ended = queue.awaitResult(queue.enqueue(order("boots")), SOON);

    assertThat(ended.state()).isEqualTo(OperationState.FAILED);
    assertThat(ended.advice()).contains(Advice.SEND_AGAIN);
  }

  @Test
  void theEventOfBadCredentialsDoesNotShowThem() throws Exception {
    credentials.set(Map.of("Authorization", "Bearer s3cret\n"));
    OfflineQueue queue = open(builder());
    queue.enqueue(order("boots"));
    waitFor(() -> events.stream().anyMatch(QueueEvent.Trouble.class::isInstance));

    assertThat(events.toString()).doesNotContain("s3cret");
  }

  @Test
  void anOperationOfAServerWithoutKeysIsNotSentTwiceByARestart() throws Exception {
    rules = RetryRules.plain();
    server.otherwise(Reply.of(201).after(300));
    OfflineQueue queue = open(builder());
    String id = queue.enqueue(order("boots"));
    waitFor(() -> !server.received().isEmpty());
    queue.close();

    OfflineQueue reopened = open(builder());
    reopened.awaitResult(id, SOON);

    assertThat(server.received()).hasSize(1);
  }

  @Test
  void compensationsOfOneOrderingKeyDoNotWaitForEachOther() throws Exception {
    server.replies(Reply.of(201), Reply.of(201), Reply.of(422));
    OfflineQueue queue = open(builder());
    queue.enqueue(
        OperationGroup.named("trip")
            .and(withOrderingKey("a", "flight"), withOrderingKey("a", "cancel flight"))
            .and(withOrderingKey("a", "hotel"), withOrderingKey("a", "cancel hotel"))
            .and(order("car")));

    assertThat(queue.drain(SOON)).isTrue();
    assertThat(server.received()).hasSize(5);
  }

  @Test
  void aMemberIsNotDroppedWhileAnotherIsBeingSent() throws Exception {
    server.otherwise(Reply.of(201).after(500));
    OfflineQueue queue = open(builder());
    Operation flight = order("flight");
    Operation hotel = order("hotel");
    queue.enqueue(OperationGroup.named("trip").and(flight, order("cancel flight")).and(hotel));
    waitFor(() -> !server.received().isEmpty());

    assertThatThrownBy(() -> queue.drop(hotel.id())).hasMessageContaining("is being sent");
  }

  @Test
  void droppingAMemberThatMayHaveTakenEffectUndoesIt() throws Exception {
    server.otherwise(Reply.lost());
    OfflineQueue queue = open(builder());
    Operation flight = order("flight");
    queue.enqueue(OperationGroup.named("trip").and(flight, order("cancel flight")));
    waitFor(() -> !server.received().isEmpty());
    queue.pause();
    waitFor(() -> queue.find(flight.id()).orElseThrow().state() == OperationState.PENDING);
    queue.drop(flight.id());
    server.otherwise(Reply.of(201));
    queue.resume();
    queue.drain(SOON);

    assertThat(server.received())
        .extracting(Received::body)
        .contains("{\"item\":\"cancel flight\"}");
  }

  @Test
  void nothingIsAddedToAGroupThatWasUndone() throws Exception {
    server.replies(Reply.of(422));
    OfflineQueue queue = open(builder());
    Operation flight = order("flight");
    queue.enqueue(OperationGroup.named("trip").and(flight));
    queue.awaitResult(flight.id(), SOON);
    queue.drop(flight.id());

    assertThatThrownBy(() -> queue.enqueue(OperationGroup.named("trip").and(order("hotel"))))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void enqueuingTheSameGroupAgainAddsNoSecondCompensation() throws Exception {
    server.replies(Reply.of(201), Reply.of(422));
    OfflineQueue queue = open(builder().paused());
    Operation flight = order("flight");
    Operation hotel = order("hotel");
    queue.enqueue(OperationGroup.named("trip").and(flight, order("cancel flight")).and(hotel));
    queue.enqueue(OperationGroup.named("trip").and(flight, order("cancel flight")).and(hotel));
    queue.resume();
    queue.drain(SOON);

    assertThat(server.received())
        .extracting(Received::body)
        .containsOnlyOnce("{\"item\":\"cancel flight\"}");
  }

  @Test
  void aRefusedCompensationCanBeSentAgain() throws Exception {
    server.replies(Reply.of(201), Reply.of(422), Reply.of(422));
    OfflineQueue queue = open(builder());
    Operation undo = order("cancel flight");
    Operation hotel = order("hotel");
    queue.enqueue(OperationGroup.named("trip").and(order("flight"), undo).and(hotel));
    queue.awaitResult(undo.id(), SOON);

    assertThat(queue.find(hotel.id()).orElseThrow().state()).isEqualTo(OperationState.FAILED);
    queue.resend(undo.id());
    assertThat(queue.awaitResult(undo.id(), SOON)).isNotNull();
    assertThat(queue.drain(SOON)).isTrue();
  }

  @Test
  void anEditOfARefusedOperationWithAnOrderingKeyIsSent() throws Exception {
    server.replies(Reply.of(422));
    OfflineQueue queue = open(builder());
    String id = queue.enqueue(withOrderingKey("a", "typo"));
    queue.awaitResult(id, SOON);

    String edited = queue.edit(id, "application/json", bytes("{\"item\":\"right\"}"));

    assertThat(queue.awaitResult(edited, SOON).state()).isEqualTo(OperationState.DONE);
  }

  @Test
  void anotherRequestUnderAKeyThatSucceededIsRefusedOrSent() throws Exception {
    OfflineQueue queue = open(builder());
    Operation boots = order("boots");
    queue.awaitResult(queue.enqueue(boots), SOON);
    Operation hat =
        Operation.post(server.url("/orders")).json("{\"item\":\"hat\"}").key(boots.key()).build();

    boolean isRefused = false;
    try {
      queue.awaitResult(queue.enqueue(hat), SOON);
    } catch (IllegalArgumentException | IllegalStateException e) {
      isRefused = true;
    }

    assertThat(isRefused || server.received().size() == 2)
        .as("hat was reported done, and never sent")
        .isTrue();
  }

  @Test
  void anotherRequestUnderTheSameIdAndKeyIsRefused() {
    OfflineQueue queue = open(builder().paused());
    Operation boots = order("boots");
    queue.enqueue(boots);
    Operation hat =
        Operation.post(server.url("/orders"))
            .json("{\"item\":\"hat\"}")
            .id(boots.id())
            .key(boots.key())
            .build();

    assertThatThrownBy(() -> queue.enqueue(hat)).isInstanceOf(RuntimeException.class);
  }

  @Test
  void aClockThatWasSetBackDoesNotStopTheQueue() throws Exception {
    OfflineQueue paused = open(builder().paused());
    String waiting = paused.enqueue(order("boots"));
    String sending = paused.enqueue(order("hat"));
    paused.close();
    // As after a postponement and a crash, before which the clock was a year ahead.
    long year = Duration.ofDays(365).toMillis();
    execute(
        "UPDATE operation SET next_attempt_at = unixepoch() * 1000 + "
            + year
            + " WHERE id = '"
            + waiting
            + "'");
    execute(
        "UPDATE operation SET state = 'sending', fence = 1, lease_until = unixepoch() * 1000 + "
            + year
            + " WHERE id = '"
            + sending
            + "'");

    OfflineQueue queue = open(builder());

    assertThat(queue.drain(SOON)).isTrue();
  }

  @Test
  void anAnswerToOldCredentialsDoesNotParkTheQueueAgain() throws Exception {
    server.replies(Reply.of(401), Reply.of(401).after(800));
    OfflineQueue queue = open(builder().concurrency(2).paused());
    queue.enqueue(order("boots"));
    queue.enqueue(order("hat"));
    queue.resume();
    waitFor(() -> queue.parked().isPresent() && server.received().size() == 2);
    queue.credentialsChanged();

    assertThat(queue.drain(SOON)).isTrue();
  }

  @Test
  void aRefusalOfCredentialsIsNotASend() throws Exception {
    server.replies(Reply.of(401));
    OfflineQueue queue = open(builder());
    String id = queue.enqueue(order("boots"));
    waitFor(() -> queue.parked().isPresent());
    // A long weekend passes.
    execute("UPDATE operation SET first_sent_at = first_sent_at - 3 * 86400000");
    queue.credentialsChanged();

    assertThat(queue.awaitResult(id, SOON).state()).isEqualTo(OperationState.DONE);
  }

  @Test
  void aLargeAnswerDoesNotMakeAnOperationUnending() throws Exception {
    server.otherwise(Reply.of(201).body("x".repeat(300_000)));
    OfflineQueue queue = open(builder().maxBytes(256 << 10).paused());
    for (int i = 0; i < 4; i++) {
      queue.enqueue(order("item " + i));
    }
    queue.resume();

    assertThat(queue.drain(Duration.ofSeconds(15)))
        .as(
            "done %s, sending %s, sent %s times",
            queue.count(OperationState.DONE),
            queue.count(OperationState.SENDING),
            server.received().size())
        .isTrue();
  }

  @Test
  void aReadDoesNotWaitForAWriterInAnotherProcess() throws Exception {
    OfflineQueue queue = open(builder().paused());
    String id = queue.enqueue(order("boots"));
    try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = other.createStatement()) {
      statement.execute("BEGIN IMMEDIATE");
      long start = System.nanoTime();
      queue.find(id);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
    }
  }

  @Test
  void aLookupThatIsInterruptedDoesNotMakeTheSendersSpin() throws Exception {
    server.otherwise(Reply.lost());
    OfflineQueue first = open(builder());
    first.enqueue(order("boots"));
    waitFor(() -> !server.received().isEmpty());
    first.close();
    execute("UPDATE operation SET first_sent_at = first_sent_at - 86400000");
    List<Instant> lookups = new CopyOnWriteArrayList<>();

    open(
        builder()
            .backoff(
                new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(9)))
            .lookup(
                operation -> {
                  lookups.add(Instant.now());
                  throw new InterruptedException();
                }));
    waitFor(() -> lookups.size() > 2);

    assertThat(Duration.between(lookups.get(0), lookups.get(2)))
        .isGreaterThan(Duration.ofSeconds(1));
  }

  @Test
  void aRestoredInterruptOfAListenerDoesNotSendTheSameOperationForEver() throws Exception {
    server.otherwise(Reply.of(201).after(50));
    AtomicInteger sent = new AtomicInteger();
    OfflineQueue queue =
        open(
            builder()
                .concurrency(1)
                .listener(
                    event -> {
                      if (event instanceof QueueEvent.Sending && sent.getAndIncrement() == 0) {
                        Thread.currentThread().interrupt();
                      }
                    }));
    String id = queue.enqueue(order("boots"));

    try {
      assertThat(queue.awaitResult(id, Duration.ofSeconds(4)).state())
          .isEqualTo(OperationState.DONE);
    } catch (TimeoutException e) {
      throw new AssertionError("sent " + sent + " times without an end", e);
    }
  }

  @Test
  void beingOfflineTriesOneOperationAndNotAll() throws Exception {
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    OfflineQueue queue =
        open(
            builder()
                .backoff(
                    new Backoff(
                        Duration.ofMillis(200), Duration.ofMillis(500), Duration.ofMinutes(1)))
                .paused());
    for (int i = 0; i < 300; i++) {
      queue.enqueue(
          Operation.post("http://127.0.0.1:" + free + "/orders").json("{\"i\":" + i + "}").build());
    }
    queue.resume();
    assertThat(queue.drain(Duration.ofSeconds(5))).isFalse();
    queue.pause();

    assertThat(events.stream().filter(QueueEvent.Sending.class::isInstance).count())
        .isLessThan(100);
  }

  @Test
  void aLostLinkIsTriedAgainSoonThoughManyRequestsWereOnIt() throws Exception {
    int requests = 16;
    TestServer.Reply[] lost = new TestServer.Reply[requests];
    Arrays.fill(lost, TestServer.Reply.lost().after(300));
    server.replies(lost);
    OfflineQueue queue =
        open(
            builder()
                .concurrency(requests)
                .backoff(new Backoff(Duration.ofMillis(1), Duration.ofMillis(2), LONG))
                .paused());
    for (int i = 0; i < requests; i++) {
      queue.enqueue(order("boots " + i));
    }
    queue.resume();

    assertThat(queue.drain(SOON)).isTrue();
    assertThat(server.received()).hasSize(2 * requests);
  }

  @Test
  void anAttemptFromBeforeAnOutageDoesNotLetASecondOneTryTheServer() {
    Connectivity connectivity =
        new Connectivity(new Backoff(Duration.ZERO, Duration.ofNanos(1), Duration.ofNanos(1)));
    connectivity.trying("server", "slow");
    connectivity.trying("server", "first");
    connectivity.unanswered("server", "first");
    connectivity.released("server", "first");
    connectivity.trying("server", "probe");

    connectivity.unanswered("server", "slow");
    connectivity.released("server", "slow");

    assertThat(connectivity.blocked()).containsExactly("server");
    connectivity.unanswered("server", "probe");
    assertThat(connectivity.blocked()).isEmpty();
  }

  @Test
  void tellsAUserInterfaceThatAnOperationWasDropped() {
    OfflineQueue queue = open(builder().paused());
    String id = queue.enqueue(order("boots"));
    queue.drop(id);

    assertThat(events).anyMatch(QueueEvent.Ended.class::isInstance);
  }

  @Test
  void cookiesOfAnAnswerAreNotStored() throws Exception {
    server.otherwise(Reply.of(201).header("Set-Cookie", "session=s3cret"));
    OfflineQueue queue = open(builder());
    queue.awaitResult(queue.enqueue(order("boots")), SOON);
    queue.close();

    for (File file : Objects.requireNonNull(folder.toFile().listFiles())) {
      assertThat(Files.readString(file.toPath(), StandardCharsets.ISO_8859_1))
          .doesNotContain("s3cret");
    }
  }

  @Test
  void aRedirectIsNoRefusal() throws Exception {
    // A POST may succeed with a 303, which once-http keeps as a success; a portal answers 302.
    server.replies(Reply.of(303).header("Location", "/orders/7"));
    OfflineQueue queue = open(builder());

    QueuedOperation ended = queue.awaitResult(queue.enqueue(order("boots")), SOON);

    assertThat(ended.advice()).isNotEqualTo(Optional.of(Advice.CORRECT));
  }

  @Test
  void aReplayedRefusalOfARightEndsTheOperation() throws Exception {
    // The contract mobile keeps every status: this key is answered by 403 for 24 hours.
    server.replies(Reply.of(403)).otherwise(Reply.of(403).header("Idempotency-Replayed", "true"));
    OfflineQueue queue = open(builder());
    String id = queue.enqueue(order("boots"));
    waitFor(() -> queue.parked().isPresent());
    queue.credentialsChanged();

    assertThat(queue.awaitResult(id, SOON).state()).isEqualTo(OperationState.FAILED);
  }

  @Test
  void anOperationWhoseAnswerWasTooLargeToKeepIsNotToBeCorrected() throws Exception {
    rules = RetryRules.strict().toBuilder().backoff(SHORT).build();
    server.replies(Reply.lost(), Reply.of(409).body("{\"code\":\"idempotency.answer_not_kept\"}"));
    OfflineQueue queue = open(builder());

    QueuedOperation ended = queue.awaitResult(queue.enqueue(order("boots")), SOON);

    assertThat(ended.advice()).isNotEqualTo(Optional.of(Advice.CORRECT));
  }

  @Test
  void theSameChangeOfANewVersionIsNoDuplicate() throws Exception {
    server.replies(Reply.of(412));
    OfflineQueue queue = open(builder());
    Operation.Builder change = Operation.put(server.url("/orders/1")).json("{}").ifMatch("\"1\"");
    QueuedOperation ended = queue.awaitResult(queue.enqueue(change.build()), SOON);
    assertThat(ended.advice()).contains(Advice.REFETCH);

    queue.enqueue(Operation.put(server.url("/orders/1")).json("{}").ifMatch("\"2\"").build());
  }

  @Test
  void aLookupThatTakesLongerThanTheLeaseEndsTheOperation() throws Exception {
    server.otherwise(Reply.lost());
    OfflineQueue first = open(builder());
    String id = first.enqueue(order("boots"));
    waitFor(() -> !server.received().isEmpty());
    first.close();
    execute("UPDATE operation SET first_sent_at = first_sent_at - 86400000");

    OfflineQueue queue =
        open(
            builder()
                .lookup(
                    operation -> {
                      // The lease is 3 s.
                      boolean unused = new CountDownLatch(1).await(4, TimeUnit.SECONDS);
                      return OutcomeLookup.Outcome.TOOK_EFFECT;
                    }));

    assertThat(queue.awaitResult(id, Duration.ofSeconds(20)).state())
        .isEqualTo(OperationState.DONE);
  }

  private void execute(String sql) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private OfflineQueue open(OfflineQueue.Builder builder) {
    OfflineQueue queue = builder.open();
    queues.add(queue);
    return queue;
  }

  private OnceHttpClient client() {
    return OnceHttpClient.builder(rules)
        .attemptTimeout(Duration.ofSeconds(2))
        .credentials(credentials::get)
        .build();
  }

  private OfflineQueue.Builder builder() {
    return OfflineQueue.builder(file(), client()).backoff(SHORT).listener(events::add);
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
