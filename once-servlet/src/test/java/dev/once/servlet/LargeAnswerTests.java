package dev.once.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Terms;
import dev.once.http.Contract;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Answers that are too large to keep: the record still shows that the request took effect. */
abstract class LargeAnswerTests extends FilterTests {
  private static final int LIMIT = 1000;
  private static final Contract SMALL =
      Contract.STRICT.toBuilder()
          .name("small")
          .terms(
              Terms.DEFAULT
                  .withMaxPayloadBytes(LIMIT)
                  .withMaxCompletionTime(Duration.ofMillis(100)))
          .build();

  private final Gate gate = new Gate();

  LargeAnswerTests(FilterStage stage) {
    super(stage);
  }

  private static void write(HttpServletResponse response, int size) throws IOException {
    for (int i = 0; i < size; i += 100) {
      response.getOutputStream().print("x".repeat(100));
    }
  }

  @Test
  void keepsAnAnswerAtTheLimit() throws Exception {
    serve(SMALL, (request, response) -> write(response, LIMIT));

    Reply first = post();

    assertThat(first.bytes()).hasSize(LIMIT);
    assertReplays(first);
  }

  @Test
  void saysOfALargerAnswerThatItWasNotKept() throws Exception {
    serve(SMALL, (request, response) -> write(response, 3 * LIMIT));

    assertThat(post().bytes()).hasSize(3 * LIMIT);
    assertRefusal(post(), 409, "idempotency.answer_not_kept");
    assertThat(runs).hasValue(1);
  }

  @Test
  void streamsALargerAnswerOnceItsCompletionIsSafe() throws Exception {
    Gate safe = new Gate();
    store.onComplete(safe::pass);
    serve(
        SMALL,
        (request, response) -> {
          write(response, 2 * LIMIT);
          response.flushBuffer();
          gate.pass();
          write(response, LIMIT);
        });

    try (RawClient client = connect()) {
      client.send(head(PATH, "Content-Length: 0", "Connection: close"));
      safe.awaitReached();
      assertThat(client.hearsNothing()).isTrue();
      safe.open();
      client.readTo("x".repeat(LIMIT));
      gate.awaitReached();
      gate.open();
      assertThat(client.readAll()).contains("x");
    }
  }

  @Test
  void sendsTheLengthThatTheHandlerAnnounced() throws Exception {
    serve(
        SMALL,
        (request, response) -> {
          response.setHeader("Content-Length", "3000");
          write(response, 3000);
        });

    assertThat(post().header("Content-Length")).isEqualTo("3000");
  }

  @Test
  void noticesALargeAnswerThatAWriterHeldBack() throws Exception {
    serve(SMALL, (request, response) -> response.getWriter().print("x".repeat(3 * LIMIT)));

    assertThat(post().bytes()).hasSize(3 * LIMIT);
    assertRefusal(post(), 409, "idempotency.answer_not_kept");
  }

  @Test
  void sendsNothingOfALargeAnswerThatCouldNotBeRecorded() throws Exception {
    store.onComplete(() -> store.isDown(true));
    serve(
        SMALL,
        (request, response) -> {
          for (int i = 0; i < 10; i++) {
            response.getWriter().print("x".repeat(LIMIT));
            response.getWriter().flush();
          }
        });

    Reply reply = post();

    assertRefusal(reply, 503, "idempotency.outcome_unknown");
    assertThat(reply.text()).doesNotContain("xxx");
    assertThat(reply.header(Site.BEFORE)).isEqualTo("yes");
  }

  @Test
  void streamsALargeAnswerThatIsNotToBeKept() throws Exception {
    serve(
        SMALL,
        (request, response) -> {
          response.setStatus(500);
          write(response, 2 * LIMIT);
          response.flushBuffer();
          gate.pass();
        });

    try (RawClient client = connect()) {
      client.send(head(PATH, "Content-Length: 0", "Connection: close"));
      assertThat(client.readTo("x".repeat(LIMIT))).startsWith("HTTP/1.1 500");
      gate.open();
      client.readAll();
    }
    assertThat(store.calls()).containsExactly("claim", "release");
  }

  @Test
  void streamsALargeAsynchronousAnswer() throws Exception {
    serve(
        SMALL,
        (request, response) -> {
          var context = request.startAsync();
          context.start(
              () -> {
                try {
                  write((HttpServletResponse) context.getResponse(), 3 * LIMIT);
                  context.complete();
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
        });

    Future<Reply> first = postLater();

    assertThat(soon(first).bytes()).hasSize(3 * LIMIT);
    assertRefusal(post(), 409, "idempotency.answer_not_kept");
  }
}
