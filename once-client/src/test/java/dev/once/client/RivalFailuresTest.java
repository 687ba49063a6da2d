package dev.once.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.client.TestServer.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What other queues are known to get wrong, as {@code rivals.test.js} has it for JavaScript.
 * Further ones: {@link OnceHttpClientTest#anInterruptSendsNothingMore}, {@link
 * OnceHttpClientTest#waitsAsLongAsTheServerAsks}, {@link
 * OfflineQueueTest#credentialsThatAreRefusedParkTheQueueAndDeleteNothing}, {@link
 * OfflineQueueTest#aKeyThatTheServerMayHaveForgottenIsNotSentBlindly}, and in the table of retry
 * cases that the text of a message is no status.
 */
@Timeout(60)
class RivalFailuresTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir Path folder;
  private final TestServer server = new TestServer();
  private final List<OfflineQueue> queues = new ArrayList<>();

  @AfterEach
  void close() {
    queues.forEach(OfflineQueue::close);
    server.close();
  }

  @Test
  void anOperationIsInTheFileWhileItIsSentAndUntilItsOutcomeIs() throws Exception {
    server.replies(Reply.of(201).after(1000));
    OfflineQueue reader = open(builder().paused());
    OfflineQueue queue = open(builder());
    String id = queue.enqueue(order("boots"));
    Eventually.waitFor(() -> server.received().size() == 1);

    OperationState during = reader.find(id).orElseThrow().state();
    queue.awaitResult(id, SOON);

    assertThat(during).isEqualTo(OperationState.SENDING);
    assertThat(reader.find(id).orElseThrow().state()).isEqualTo(OperationState.DONE);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 404, 422, 500})
  void anErrorIsNoSuccessAndKeepsTheOperation(int status) throws Exception {
    server.otherwise(Reply.of(status));
    OfflineQueue queue = open(builder());
    Operation operation = order("boots");
    queue.enqueue(operation);

    QueuedOperation result = queue.awaitResult(operation.id(), SOON);

    assertThat(result.state()).isEqualTo(OperationState.FAILED);
    assertThat(result.answer().orElseThrow().status()).isEqualTo(status);
    assertThat(queue.hasSucceeded(operation.key())).isFalse();
  }

  @Test
  void whatAProcessStoresThatDoesNotSendIsSentByAnotherAfterItHasEnded() throws Exception {
    OfflineQueue sender = open(builder());
    OfflineQueue writer = builder().paused().open();
    String id = writer.enqueue(order("boots"));
    writer.close();

    assertThat(sender.awaitResult(id, SOON).state()).isEqualTo(OperationState.DONE);
    assertThat(server.received()).hasSize(1);
  }

  private OfflineQueue open(OfflineQueue.Builder builder) {
    OfflineQueue queue = builder.open();
    queues.add(queue);
    return queue;
  }

  private OfflineQueue.Builder builder() {
    return OfflineQueue.builder(
        folder.resolve("queue.db"), OnceHttpClient.builder(RetryRules.mobile()).build());
  }

  private Operation order(String item) {
    return Operation.post(server.url("/orders")).json("{\"item\":\"" + item + "\"}").build();
  }
}
