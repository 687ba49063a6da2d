package dev.once.opensearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Documents of concurrent callers share requests within limits. */
class BulkBatcherTest {
  private static final int MAX_DOCUMENTS = 3;
  private static final int MAX_BYTES = 500;

  private final ScriptedServer server = new ScriptedServer();
  private final ExecutorService callers = Executors.newCachedThreadPool();
  private final BulkBatcher batcher =
      new BulkBatcher(
          new BulkSender(server.client(), "orders", Duration.ofSeconds(30)),
          "test",
          MAX_DOCUMENTS,
          MAX_BYTES);

  BulkBatcherTest() throws IOException {}

  @AfterEach
  void close() {
    batcher.close();
    callers.shutdownNow();
    server.close();
  }

  @Test
  void fillsARequestUpToItsLimits() throws Exception {
    List<Future<Void>> calls = new ArrayList<>();
    for (int length : List.of(1, 1, 1, 1, 1, 2 * MAX_BYTES, 1)) {
      calls.add(enqueue("d" + calls.size(), length));
    }

    batcher.start();

    for (Future<Void> call : calls) {
      call.get();
    }
    assertThat(server.ids())
        .containsExactlyInAnyOrder(
            List.of("d0", "d1", "d2"), List.of("d3", "d4"), List.of("d5"), List.of("d6"));
  }

  @Test
  void aCallerThatIsInterruptedWithdrawsItsDocument() throws Exception {
    Future<Void> call = enqueue("a", 1);

    call.cancel(true);

    Await.until("the document is withdrawn", () -> batcher.waiting() == 0);
  }

  @Test
  void closingFailsTheDocumentsThatWait() throws Exception {
    Future<Void> call = enqueue("a", 1);

    batcher.close();

    assertThatThrownBy(call::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(SearchException.class);
    assertThatThrownBy(() -> batcher.write(new Document("b", 1, "{}")))
        .isInstanceOf(SearchException.class);
  }

  /** Returns when the document is in the queue. */
  private Future<Void> enqueue(String id, int length) throws Exception {
    int before = batcher.waiting();
    Document document = new Document(id, 1, "{\"text\":\"" + "x".repeat(length) + "\"}");
    Future<Void> call =
        callers.submit(
            () -> {
              batcher.write(document);
              return null;
            });
    Await.until("the document waits", () -> batcher.waiting() > before);
    return call;
  }
}
