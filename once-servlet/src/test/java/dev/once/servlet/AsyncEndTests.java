package dev.once.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Terms;
import dev.once.http.Contract;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;

/** How asynchronous handlers end, and which listeners are notified. */
abstract class AsyncEndTests extends FilterTests {
  AsyncEndTests(FilterStage stage) {
    super(stage);
  }

  @Test
  void replaysTheErrorPageThatAnotherThreadRequested() throws Exception {
    serve(Contract.STRICT, (request, response) -> sendErrorLater(request.startAsync(), 404));

    Reply first = post();

    assertThat(first.status()).isEqualTo(404);
    assertThat(first.text()).endsWith("for 404");
    assertReplays(first);
    assertThat(runs).hasValue(1);
  }

  @Test
  void keepsNoErrorThatAnotherThreadSentWithoutAnErrorPage() throws Exception {
    serve(Contract.STRICT, (request, response) -> sendErrorLater(request.startAsync(), 404));

    assertThat(postTo(Site.BARE + PATH, "{}").status()).isEqualTo(404);
    store.await("abandon", 1);
    assertThat(postTo(Site.BARE + PATH, "{}").status()).isEqualTo(404);
    assertThat(store.outcomes()).isEmpty();
  }

  private static void sendErrorLater(AsyncContext context, int status) {
    new Thread(
            () -> {
              try {
                ((HttpServletResponse) context.getResponse()).sendError(status);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
              context.complete();
            })
        .start();
  }

  @Test
  void executesAgainAfterAHandlerThatStartedAndThrew() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) -> {
          request.startAsync();
          throw new IllegalStateException("on purpose");
        });

    assertThat(post().status()).isEqualTo(500);
    store.elapse(Terms.DEFAULT.lease()); // It may have started a thread before.
    assertThat(post().status()).isEqualTo(500);
    assertThat(runs).hasValue(2);
    assertThat(store.outcomes()).isEmpty();
  }

  @Test
  void executesAgainAfterADispatchThatThrew() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) -> {
          if (request.getDispatcherType() == DispatcherType.ASYNC) {
            throw new IllegalStateException("on purpose");
          }
          request.startAsync().dispatch();
        });

    assertThat(post().status()).isEqualTo(500);
    assertThat(post().status()).isEqualTo(500);
    assertThat(runs).hasValue(4);
    assertThat(store.outcomes()).isEmpty();
  }

  @Test
  void freesTheKeyOfAHandlerThatWentBehindOurBack() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) -> {
          AsyncContext context = ((ServletRequestWrapper) request).getRequest().startAsync();
          new Thread(context::complete).start();
        });

    post();

    store.await("abandon", 1);
    assertThat(store.outcomes()).isEmpty();
  }

  @Test
  void keepsTheOutcomeOfAHandlerWhoseClientLeft() throws Exception {
    Gate gate = new Gate();
    serve(
        Contract.STRICT,
        (request, response) -> {
          AsyncContext context = request.startAsync();
          context.start(
              () -> {
                gate.pass();
                AsyncTests.print(context, "done");
                context.complete();
              });
        });
    try (RawClient client = connect()) {
      client.send(head(PATH, "Content-Length: 2", "Content-Type: application/json") + "{}");
      gate.awaitReached();
    }

    gate.open();
    store.await("complete", 1);

    assertThat(post().text()).isEqualTo("done");
  }

  @Test
  void keepsOneAnswerOfAHandlerThatIsDoneTwice() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) -> {
          AsyncContext context = request.startAsync();
          context.complete();
          try {
            context.complete();
          } catch (IllegalStateException e) { // Only some containers throw.
            response.setHeader("X-Refused", "yes");
          }
          response.getWriter().print("done");
        });

    Reply first = post();

    assertThat(first.text()).isEqualTo("done");
    assertReplays(first);
    assertThat(store.outcomes()).hasSize(1);
  }

  @Test
  void endsEveryExchangeWhicheverThreadIsFaster() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) -> {
          AsyncContext context = request.startAsync();
          new Thread(context::complete).start();
          response.getWriter().print("order");
        });

    for (int i = 0; i < 200; i++) {
      Reply reply = send(to(PATH).header("Idempotency-Key", key + i).POST(BodyPublishers.noBody()));
      assertThat(reply.text()).isEqualTo("order");
    }
    assertThat(store.outcomes()).hasSize(200);
  }
}
