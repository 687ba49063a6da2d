package dev.once.servlet;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Terms;
import dev.once.http.Contract;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Handlers that answer after they have returned. */
abstract class AsyncTests extends FilterTests {
  private final Gate gate = new Gate();

  AsyncTests(FilterStage stage) {
    super(stage);
  }

  static void print(AsyncContext context, String text) {
    try {
      context.getResponse().getWriter().print(text);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void replaysWhatAnotherThreadWrote() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) -> {
          AsyncContext context = request.startAsync();
          new Thread(
                  () -> {
                    print(context, "order " + runs);
                    context.complete();
                  })
              .start();
        });

    Reply first = post();

    assertThat(first.text()).isEqualTo("order 1");
    assertReplays(first);
  }

  @Test
  void holdsTheKeyWhileAnotherThreadWorks() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) -> {
          AsyncContext context = request.startAsync();
          context.start(
              () -> {
                gate.pass();
                print(context, "done");
                context.complete();
              });
        });
    Future<Reply> first = postLater();
    gate.awaitReached();

    assertRefusal(post(), 409, "idempotency.in_flight");
    gate.open();
    assertReplays(soon(first));
  }

  @Test
  void sendsNothingOfAnotherThreadBeforeTheOutcomeIsSafe() throws Exception {
    store.onComplete(gate::pass);
    serve(
        Contract.STRICT,
        (request, response) -> {
          AsyncContext context = request.startAsync();
          context.start(
              () -> {
                print(context, "done");
                context.complete();
              });
        });

    try (RawClient client = connect()) {
      client.send(head(PATH, "Content-Length: 0", "Connection: close"));
      gate.awaitReached();
      assertThat(client.hearsNothing()).isTrue();
      gate.open();
      assertThat(client.readAll()).endsWith("done");
    }
  }

  @Test
  void keepsWhatIsWrittenBetweenTheEndAndTheReturn() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) -> {
          AsyncContext context = request.startAsync();
          Thread other = new Thread(context::complete);
          other.start();
          other.join();
          response.getWriter().print("written after complete()");
        });

    Reply first = post();

    assertThat(first.text()).isEqualTo("written after complete()");
    assertReplays(first);
  }

  @Test
  void replaysWhatADispatchWrote() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) -> {
          if (request.getDispatcherType() == DispatcherType.ASYNC) {
            response.getWriter().print(", second " + request.getAttribute("found"));
          } else {
            response.getWriter().print("first");
            AsyncContext context = request.startAsync();
            context.start(
                () -> {
                  context.getRequest().setAttribute("found", "7");
                  context.dispatch();
                });
          }
        });

    Reply first = post();

    assertThat(first.text()).isEqualTo("first, second 7");
    assertReplays(first);
    assertThat(store.calls()).containsExactly("claim", "complete", "claim");
  }

  @Test
  void followsAHandlerThatIsDispatchedAndStartsAgain() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) -> {
          response.getWriter().print(request.getDispatcherType() + " ");
          AsyncContext context = request.startAsync();
          if (runs.get() < 3) {
            context.dispatch();
          } else {
            context.complete();
          }
        });

    Reply first = post();

    assertThat(first.text()).isEqualTo("REQUEST ASYNC ASYNC ");
    assertReplays(first);
  }

  @Test
  void replaysWhatAWriteListenerWrote() throws Exception {
    writeByListener(Contract.STRICT, 10);

    Reply first = post();

    assertThat(first.bytes()).hasSize(1000);
    assertReplays(first);
  }

  @Test
  void streamsWhatAWriteListenerWroteBeyondTheLimit() throws Exception {
    writeByListener(
        Contract.STRICT.toBuilder()
            .name("small")
            .terms(Terms.DEFAULT.withMaxPayloadBytes(500))
            .build(),
        100);

    assertThat(post().bytes()).hasSize(10_000);
    assertRefusal(post(), 409, "idempotency.answer_not_kept");
  }

  private void writeByListener(Contract contract, int times) {
    serve(
        contract,
        (request, response) -> {
          AsyncContext context = request.startAsync();
          ServletOutputStream out = response.getOutputStream();
          Writing writing = new Writing(context, out, times);
          out.setWriteListener(writing);
          writing.isPrepared = true; // A container calls the listener later.
        });
  }

  private static final class Writing implements WriteListener {
    private final AsyncContext context;
    private final ServletOutputStream out;
    private int left;
    private boolean isPrepared;

    Writing(AsyncContext context, ServletOutputStream out, int times) {
      this.context = context;
      this.out = out;
      this.left = times;
    }

    @Override
    public void onWritePossible() throws IOException {
      if (!isPrepared) {
        throw new IOException("called before the handler was done with its preparations");
      }
      while (out.isReady()) {
        if (left-- == 0) {
          context.complete();
          return;
        }
        out.write("x".repeat(100).getBytes(US_ASCII));
      }
    }

    @Override
    public void onError(Throwable failure) {
      ((HttpServletResponse) context.getResponse()).setStatus(500);
      context.complete();
    }
  }
}
