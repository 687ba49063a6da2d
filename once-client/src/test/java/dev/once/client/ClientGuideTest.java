package dev.once.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.client.TestServer.Reply;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.web.client.RestClient;

/** The code of the guide. */
@Timeout(60)
class ClientGuideTest {
  @TempDir Path folder;
  private final TestServer server = new TestServer();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void sends() {
    server.replies(Reply.of(503), Reply.of(201).body("{\"id\":7}"));
    String orders = server.url("/orders");
    String token = "t-1";
    // snippet: send
    OnceHttpClient client =
        OnceHttpClient.builder(RetryRules.strict())
            .credentials(() -> Map.of("Authorization", "Bearer " + token))
            .build();
    Operation order = Operation.post(orders).json("{\"item\":\"boots\"}").build();

    OperationResult result = client.send(order);
    // end
    // snippet: result
    String told;
    if (result instanceof OperationResult.Done done) {
      told = "ordered: " + done.answer().text();
    } else if (result instanceof OperationResult.Replayed replayed) {
      told = "ordered before: " + replayed.answer().text();
    } else if (result instanceof OperationResult.Refused refused) {
      told = refused.answer().status() + ": " + refused.advice();
    } else {
      told = "not known yet: send the same operation again later";
    }
    // end

    assertThat(told).isEqualTo("ordered: {\"id\":7}");
    assertThat(result.attempts()).hasSize(2);
  }

  @Test
  void updates() throws Exception {
    server.replies(
        Reply.of(200).header("ETag", "\"1\"").body("{\"pairs\":1}"),
        Reply.of(412),
        Reply.of(200).header("ETag", "\"2\"").body("{\"pairs\":2}"));
    OnceHttpClient client = OnceHttpClient.of(RetryRules.ietf());
    URI order = URI.create(server.url("/orders/7"));
    // snippet: update
    OperationResult result =
        client.update(
            order,
            read ->
                Operation.builder("PUT", order)
                    .ifMatch(read.header("ETag").orElseThrow())
                    .json(onePairMore(read.text()))
                    .build(),
            5);
    // end

    assertThat(result).isInstanceOf(OperationResult.Done.class);
    assertThat(server.received().get(3).body()).isEqualTo("{\"pairs\":3}");
  }

  private static String onePairMore(String order) {
    int pairs = Integer.parseInt(order.replaceAll("\\D", ""));
    return "{\"pairs\":" + (pairs + 1) + "}";
  }

  @Test
  void queues() throws Exception {
    String orders = server.url("/orders");
    OnceHttpClient client = OnceHttpClient.of(RetryRules.mobile());
    Path file = folder.resolve("operations.db");
    // snippet: queue
    try (OfflineQueue queue = OfflineQueue.open(file, client)) {
      String id = queue.enqueue(Operation.post(orders).json("{\"item\":\"boots\"}").build());

      QueuedOperation result = queue.awaitResult(id, Duration.ofSeconds(30));
      Optional<Answer> answer = result.answer();
      // end
      assertThat(answer.orElseThrow().status()).isEqualTo(201);
      // snippet: group
      queue.enqueue(
          OperationGroup.named("trip-9")
              .and(
                  Operation.post(orders).json("{\"item\":\"flight\"}").build(),
                  Operation.delete(orders + "/flight").build())
              .and(Operation.post(orders).json("{\"item\":\"hotel\"}").build()));
      // end
      assertThat(queue.drain(Duration.ofSeconds(30))).isTrue();
    }
    assertThat(server.received()).hasSize(3);
  }

  @Test
  void corrects() throws Exception {
    server.replies(Reply.code(422, "ITEM_UNKNOWN"));
    OnceHttpClient client = OnceHttpClient.of(RetryRules.mobile());
    try (OfflineQueue queue = OfflineQueue.open(folder.resolve("operations.db"), client)) {
      String id = queue.enqueue(Operation.post(server.url("/orders")).json("{}").build());
      queue.awaitResult(id, Duration.ofSeconds(30));
      byte[] corrected = "{\"item\":\"boots\"}".getBytes(StandardCharsets.UTF_8);
      // snippet: failed
      for (QueuedOperation failed : queue.list(OperationState.FAILED)) {
        switch (failed.advice().orElseThrow()) {
          case SEND_AGAIN -> queue.resend(failed.id()); // The same key.
          case NEW_OPERATION -> queue.repeat(failed.id()); // A new key.
          case CORRECT -> queue.edit(failed.id(), "application/json", corrected);
          default -> queue.drop(failed.id());
        }
      }
      // end
      assertThat(queue.drain(Duration.ofSeconds(30))).isTrue();
      assertThat(queue.count(OperationState.FAILED)).isZero();
    }
  }

  @Test
  void intercepts() {
    server.replies(Reply.of(503));
    String orders = server.url("/orders");
    // snippet: rest-client
    RestClient client =
        RestClient.builder()
            .requestInterceptor(new RestClientRetryInterceptor(RetryRules.strict()))
            .build();
    // end
    client.post().uri(orders).body("boots").retrieve().toBodilessEntity();

    assertThat(server.received()).hasSize(2);
    assertThat(server.keys()).hasSize(1);
  }
}
