package dev.once.opensearch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.UnprocessableEventException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every document of a bulk request has a result of its own. */
class BulkSenderTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String BLOCKED =
      """
      {"items": [{"index": {"status": 403, "error": {"type": "cluster_block_exception"}}}]}
      """;

  private final ScriptedServer server = new ScriptedServer();

  BulkSenderTest() throws IOException {}

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void sendsAgainOnlyWhatTheServerHadNoRoomFor() throws Exception {
    server.answerBulk(201, 429, 409, 400, 503).answerBulk(429, 200).answerBulk(200);
    List<BulkWrite> writes = writes("a", "b", "c", "d", "e");

    send(LIMIT, writes);

    assertThat(server.ids())
        .containsExactly(List.of("a", "b", "c", "d", "e"), List.of("b", "e"), List.of("b"));
    assertThat(writes).noneMatch(BulkWrite::isOpen);
    assertThat(writes.get(3).failure()).containsInstanceOf(UnprocessableEventException.class);
    writes.remove(3);
    assertThat(writes).allMatch(it -> it.failure().isEmpty());
  }

  @Test
  void sendsAgainWhileTheServerIsDownOrBlocksWrites() throws Exception {
    server.answer(503, "<html>").answer(200, BLOCKED).answer(200, "{}").answerBulk(200);
    List<BulkWrite> writes = writes("a");

    send(LIMIT, writes);

    assertThat(writes.get(0).failure()).isEmpty();
    assertThat(server.ids()).hasSize(4);
  }

  @Test
  void failsWhenItsTimeIsOver() throws Exception {
    server.answerBulk(429);
    List<BulkWrite> writes = writes("a");

    send(Duration.ZERO, writes);

    assertThat(writes.get(0).failure())
        .containsInstanceOf(SearchException.class)
        .hasValueSatisfying(it -> assertThat(it).hasMessageContaining("429"));
  }

  @Test
  void aRefusedRequestFailsTheAttemptAndNotTheEvents() throws Exception {
    server.answer(401, "{}");
    List<BulkWrite> writes = writes("a", "b");

    send(LIMIT, writes);

    assertThat(writes)
        .allSatisfy(it -> assertThat(it.failure()).containsInstanceOf(SearchException.class));
  }

  @Test
  void aDocumentThatIsTooLargeIsUnprocessable() throws Exception {
    server.answer(413, "");
    List<BulkWrite> writes = writes("a");

    send(LIMIT, writes);

    assertThat(writes.get(0).failure()).containsInstanceOf(UnprocessableEventException.class);
  }

  private void send(Duration limit, List<BulkWrite> writes) throws InterruptedException {
    new BulkSender(server.client(), "orders", limit).send(writes);
  }

  private static List<BulkWrite> writes(String... ids) {
    return new ArrayList<>(
        Stream.of(ids).map(it -> new BulkWrite(new Document(it, 1, "{}"))).toList());
  }
}
