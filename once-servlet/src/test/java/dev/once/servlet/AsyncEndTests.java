package dev.once.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Terms;
import dev.once.http.Contract;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Asynchronous handlers that fail, are too late, or are never heard of again. */
abstract class AsyncEndTests extends FilterTests {
  private static final int TIMEOUT_MILLIS = 50;

  /** The handler's context, once the container is done with it. */
  private final CompletableFuture<AsyncContext> givenUp = new CompletableFuture<>();

  AsyncEndTests(FilterStage stage) {
    super(stage);
  }

  private void neverAnswer(Contract contract) {
    serve(
        contract,
        (request, response) -> {
          AsyncContext context = request.startAsync();
          context.setTimeout(TIMEOUT_MILLIS);
          context.addListener(
              new Listening() {
                @Override
                public void onTimeout(AsyncEvent event) {}

                @Override
                public void onComplete(AsyncEvent event) {
                  givenUp.complete(context);
                }
              });
        });
  }

  @Test
  void freesTheKeyOfAHandlerThatNeverAnswers() throws Exception {
    neverAnswer(Contract.STRICT);

    assertThat(post().text()).endsWith("for 500");
    assertRefusal(post(), 409, "idempotency.in_flight"); // The handler may still be at work.
    store.elapse(Terms.DEFAULT.lease());
    assertThat(post().text()).endsWith("for 500");
    assertThat(runs).hasValue(2);
  }

  @Test
  void freesTheKeyOfAHandlerThatNeverAnswersWithoutAnErrorPage() throws Exception {
    neverAnswer(Contract.MOBILE);

    assertThat(postTo(Site.BARE + PATH, "{}").status()).isEqualTo(500);
    store.elapse(Terms.DEFAULT.lease());
    assertThat(postTo(Site.BARE + PATH, "{}").status()).isEqualTo(500);
    assertThat(runs).hasValue(2);
  }

  @Test
  void replaysTheErrorPageOfATimeoutThatIsKept() throws Exception {
    neverAnswer(Contract.MOBILE);

    Reply first = post();

    assertThat(first.text()).endsWith("for 500");
    assertReplays(first);
  }

  @Test
  void changesNothingByAnAnswerAfterATimeoutThatIsKept() throws Exception {
    neverAnswer(Contract.MOBILE);
    Reply first = post();

    soon(givenUp).complete();

    assertReplays(first);
    assertThat(store.outcomes()).hasSize(1);
  }

  @Test
  void neverExecutesAgainWhatSucceededAfterTheTimeout() throws Exception {
    neverAnswer(Contract.STRICT);
    assertThat(post().status()).isEqualTo(500);

    HttpServletResponse late = (HttpServletResponse) soon(givenUp).getResponse();
    late.setStatus(201);
    late.setHeader("ETag", "\"7\"");
    late.getWriter().print("created");
    soon(givenUp).complete();

    assertRefusal(post(), 409, "idempotency.answer_not_kept");
    assertThat(runs).hasValue(1);
  }

  @Test
  void executesAtOnceAgainWhatFailedAfterTheTimeout() throws Exception {
    neverAnswer(Contract.STRICT);
    assertThat(postTo(Site.BARE + PATH, "{}").status()).isEqualTo(500);

    ((HttpServletResponse) soon(givenUp).getResponse()).setStatus(503);
    soon(givenUp).complete();

    store.await("release", 1);
    assertThat(postTo(Site.BARE + PATH, "{}").status()).isEqualTo(500);
    assertThat(runs).hasValue(2);
  }

  @Test
  void keepsWhatAListenerAnsweredToATimeout() throws Exception {
    serve(
        Contract.MOBILE,
        (request, response) -> {
          AsyncContext context = request.startAsync();
          context.setTimeout(TIMEOUT_MILLIS);
          context.addListener(
              new Listening() {
                @Override
                public void onTimeout(AsyncEvent event) throws IOException {
                  ((HttpServletResponse) event.getAsyncContext().getResponse()).setStatus(504);
                  event.getAsyncContext().getResponse().getWriter().print("too slow");
                  event.getAsyncContext().complete();
                }
              });
        });

    Reply first = post();

    assertThat(first.status()).isEqualTo(504);
    assertThat(first.text()).isEqualTo("too slow");
    assertReplays(first);
  }

  @Test
  void replaysTheErrorPageThatAnotherThreadAskedFor() throws Exception {
    serve(Contract.STRICT, (request, response) -> sendErrorLater(request.startAsync(), 404));

    Reply first = post();

    assertThat(first.status()).isEqualTo(404);
    assertThat(first.text()).endsWith("for 404");
    assertReplays(first);
    assertThat(runs).hasValue(1);
  }

  @Test
  void keepsNoErrorThatAnotherThreadAskedForWithoutAnErrorPage() throws Exception {
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
    store.elapse(Terms.DEFAULT.lease()); // It may have handed its work to a thread before.
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
          } catch (IllegalStateException e) { // Containers differ in whether they say so.
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

  private abstract static class Listening implements AsyncListener {
    @Override
    public void onComplete(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {}
  }
}
