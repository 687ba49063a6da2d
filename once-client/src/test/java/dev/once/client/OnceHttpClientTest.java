package dev.once.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.client.TestServer.Received;
import dev.once.client.TestServer.Reply;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class OnceHttpClientTest {
  private static final Backoff SHORT =
      new Backoff(Duration.ZERO, Duration.ofMillis(1), Duration.ofMillis(5));
  private static final Pattern UUID_V4 =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");

  private final TestServer server = new TestServer();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void generatesValidUuidV4() {
    assertThat(order().key()).matches(UUID_V4);
    assertThat(order().id()).matches(UUID_V4);
  }

  @Test
  void generatesUniqueKeys() {
    Set<String> keys = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      Operation operation = order();
      keys.add(operation.key());
      assertThat(operation.id()).isNotEqualTo(operation.key());
    }
    assertThat(keys).hasSize(1000);
  }

  @Test
  void sendsTheSameBytesWithTheSameKeyAgain() {
    server.replies(Reply.lost(), Reply.of(503), Reply.of(201).body("{\"id\":1}"));

    OperationResult result = client(RetryRules.strict()).send(order());

    assertThat(result).isInstanceOf(OperationResult.Done.class);
    assertThat(result.lastAnswer().orElseThrow().text()).isEqualTo("{\"id\":1}");
    assertThat(result.attempts()).extracting(Attempt::number).containsExactly(1, 2, 3);
    assertThat(result.attempts().get(0).isSent()).isTrue();
    assertThat(server.keys()).containsExactly(result.operation().key());
    assertThat(server.received()).extracting(Received::body).containsOnly("{\"item\":\"boots\"}");
  }

  @Test
  void tellsAReplay() {
    server.replies(Reply.lost(), Reply.of(201).header("Idempotency-Replayed", "true"));

    assertThat(client(RetryRules.strict()).send(order()))
        .isInstanceOf(OperationResult.Replayed.class);
  }

  @Test
  void stopsAfterFiveAttempts() {
    server.otherwise(Reply.of(503));

    OperationResult.Unknown result =
        (OperationResult.Unknown) client(RetryRules.strict()).send(order());

    assertThat(result.attempts()).hasSize(5);
    assertThat(result.advice()).isEqualTo(Advice.SEND_AGAIN);
    assertThat(result.mayHaveTakenEffect()).isTrue();
  }

  @Test
  void nothingTookEffectIfNoServerWasThere() throws Exception {
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    Operation operation = Operation.post("http://127.0.0.1:" + free + "/orders").build();

    OperationResult.Unknown result =
        (OperationResult.Unknown) client(RetryRules.plain()).send(operation);

    assertThat(result.attempts()).hasSize(5).noneMatch(Attempt::isSent);
    assertThat(result.mayHaveTakenEffect()).isFalse();
  }

  @Test
  void withoutAKeyAPostIsSentOnce() {
    server.replies(Reply.lost());

    OperationResult.Unknown result =
        (OperationResult.Unknown) client(RetryRules.plain()).send(order());

    assertThat(server.received()).hasSize(1);
    assertThat(server.keys()).containsExactly("");
    assertThat(result.advice()).isEqualTo(Advice.CHECK_FIRST);
    assertThat(result.mayHaveTakenEffect()).isTrue();
  }

  @Test
  void waitsAsLongAsTheServerAsks() {
    server.replies(Reply.of(429).header("Retry-After", "1"));

    OperationResult result = client(RetryRules.strict()).send(order());

    assertThat(result.attempts().get(1).pauseBefore()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void returnsAtOnceIfTheServerAsksForMoreThanTheDeadline() {
    server.replies(Reply.of(503).header("Retry-After", "300"));

    OperationResult.Unknown result =
        (OperationResult.Unknown) client(RetryRules.strict()).send(order());

    assertThat(result.retryAfter()).contains(Duration.ofMinutes(5));
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void aHangingServerCannotOutlastTheDeadline() {
    server.otherwise(Reply.of(201).after(5_000));
    OnceHttpClient client =
        builder(RetryRules.strict())
            .attemptTimeout(Duration.ofMillis(200))
            .deadline(Duration.ofMillis(500))
            .build();
    long start = System.nanoTime();

    OperationResult result = client.send(order());

    assertThat(result).isInstanceOf(OperationResult.Unknown.class);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
  }

  @Test
  void anInterruptSendsNothingMore() throws Exception {
    server.otherwise(Reply.of(503).header("Retry-After", "5"));
    OperationResult[] result = new OperationResult[1];
    boolean[] isInterrupted = new boolean[1];
    Thread caller =
        new Thread(
            () -> {
              result[0] = client(RetryRules.strict()).send(order());
              isInterrupted[0] = Thread.currentThread().isInterrupted();
            });
    caller.start();
    while (server.received().isEmpty()) {
      Thread.onSpinWait();
    }
    caller.interrupt();
    caller.join();

    assertThat(result[0]).isInstanceOf(OperationResult.Unknown.class);
    assertThat(isInterrupted[0]).isTrue();
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void aFailureThatTheServerKeepsIsForGoodUnderItsKey() {
    server.replies(Reply.lost(), Reply.of(503).header("Idempotency-Replayed", "true"));
    Operation operation = order();

    OperationResult.Refused result =
        (OperationResult.Refused) client(RetryRules.mobile()).send(operation);

    assertThat(result.advice()).isEqualTo(Advice.NEW_OPERATION);
    Operation next = operation.copy().build();
    assertThat(next.key()).isNotEqualTo(operation.key());
    assertThat(client(RetryRules.mobile()).send(next)).isInstanceOf(OperationResult.Done.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 409})
  void neverRetriesRefusals(int status) {
    server.otherwise(Reply.of(status));

    assertThat(client(RetryRules.strict()).send(order()))
        .isInstanceOf(OperationResult.Refused.class);
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void followsTheStatusLink() {
    server.replies(
        Reply.of(202).header("Location", "/operations/7"),
        Reply.of(200).body("{\"state\":\"in_progress\"}"),
        Reply.of(200).body("{\"state\":\"completed\"}"),
        Reply.of(201).header("X-Idempotency-Status", "HIT"));
    RetryRules rules =
        RetryRules.async().toBuilder().inFlightPause(Duration.ofMillis(1)).backoff(SHORT).build();

    OperationResult result = OnceHttpClient.of(rules).send(order());

    assertThat(result).isInstanceOf(OperationResult.Replayed.class);
    assertThat(server.received())
        .extracting(it -> it.method() + " " + it.path())
        .containsExactly("POST /orders", "GET /operations/7", "GET /operations/7", "POST /orders");
    assertThat(server.keys()).hasSize(1);
  }

  @Test
  void aLinkToAnotherServerIsNotFollowed() {
    server.replies(Reply.of(202).header("Location", "http://127.0.0.2:1/operations/7"));

    assertThat(client(RetryRules.async()).send(order()))
        .isInstanceOf(OperationResult.Unknown.class);
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void aConflictIsResolvedWithANewKey() throws Exception {
    server.replies(
        Reply.of(200).header("ETag", "\"1\"").body("{\"count\":1}"),
        Reply.of(412),
        Reply.of(200).header("ETag", "\"2\"").body("{\"count\":2}"),
        Reply.of(200));

    OperationResult result =
        client(RetryRules.ietf())
            .update(
                URI.create(server.url("/counter")),
                read ->
                    Operation.put(server.url("/counter"))
                        .ifMatch(read.header("ETag").orElseThrow())
                        .json(read.text())
                        .build(),
                3);

    assertThat(result).isInstanceOf(OperationResult.Done.class);
    List<Received> writes =
        server.received().stream().filter(it -> it.method().equals("PUT")).toList();
    assertThat(writes).extracting(Received::body).containsExactly("{\"count\":1}", "{\"count\":2}");
    assertThat(writes).extracting(Received::key).doesNotHaveDuplicates();
  }

  @Test
  void asksForCredentialsBeforeEveryAttempt() {
    server.replies(Reply.of(503));
    AtomicInteger tokens = new AtomicInteger();
    OnceHttpClient client =
        builder(RetryRules.strict())
            .credentials(() -> Map.of("Authorization", "Bearer " + tokens.incrementAndGet()))
            .build();

    client.send(order());

    assertThat(server.received())
        .extracting(Received::token)
        .containsExactly("Bearer 1", "Bearer 2");
    assertThatThrownBy(() -> Operation.post(server.url("/")).header("Authorization", "Bearer 1"))
        .hasMessageContaining("OnceHttpClient.Builder.credentials");
  }

  @Test
  void quotesTheKeyForTheIetfDraft() {
    Operation operation = order();

    client(RetryRules.ietf()).send(operation);

    assertThat(server.keys()).containsExactly('"' + operation.key() + '"');
  }

  private Operation order() {
    return Operation.post(server.url("/orders")).json("{\"item\":\"boots\"}").build();
  }

  private static OnceHttpClient client(RetryRules rules) {
    return builder(rules).build();
  }

  private static OnceHttpClient.Builder builder(RetryRules rules) {
    return OnceHttpClient.builder(rules.toBuilder().backoff(SHORT).build());
  }
}
