package dev.once.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Recovery;
import dev.once.Terms;
import dev.once.http.Contract;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Asynchronous handlers for which the container did not wait. */
abstract class AsyncTimeoutTests extends FilterTests {
  private static final int TIMEOUT_MILLIS = 50;

  /** The handler's context, after the container has ended the request. */
  private final CompletableFuture<AsyncContext> givenUp = new CompletableFuture<>();

  AsyncTimeoutTests(FilterStage stage) {
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
    assertRefusal(post(), 409, "idempotency.in_flight"); // The handler may still be running.
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
  void holdsTheKeyAfterAListenerAnsweredATimeout() throws Exception {
    answerTimeouts(
        context -> {
          tooSlow(context.getResponse());
          context.complete();
        });

    assertHeldAfterTheTimeout();
  }

  @Test
  void holdsTheKeyAfterADispatchAnsweredATimeout() throws Exception {
    answerTimeouts(AsyncContext::dispatch);

    assertHeldAfterTheTimeout();
  }

  private void assertHeldAfterTheTimeout() throws Exception {
    Reply first = post();

    assertThat(first.status()).isEqualTo(503);
    assertThat(first.text()).isEqualTo("too slow");
    soon(givenUp);
    assertRefusal(post(), 409, "idempotency.in_flight"); // The handler may still be running.
    store.elapse(Terms.DEFAULT.lease());
    assertThat(post().text()).isEqualTo("too slow");
    assertThat(store.calls()).doesNotContain("release", "abandon");
  }

  @Test
  void holdsTheKeyAfterAnErrorPageAnsweredATimeout() throws Exception {
    AtomicInteger told = new AtomicInteger();
    serve(
        filter().listener((operation, answered) -> told.incrementAndGet()),
        (request, response) -> {
          if (request.getDispatcherType() == DispatcherType.ASYNC) {
            response.sendError(503);
          } else {
            timeOut(request.startAsync(), AsyncContext::dispatch);
          }
        });

    assertThat(post().text()).endsWith("for 503");
    soon(givenUp);
    assertThat(told).hasValue(1);
    assertRefusal(post(), 409, "idempotency.in_flight");
    assertThat(store.calls()).doesNotContain("release", "abandon");
  }

  @Test
  void holdsTheKeyOfAHandlerThatAnsweredATimeoutBehindOurBack() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) ->
            timeOut(
                ((ServletRequestWrapper) request).getRequest().startAsync(),
                AsyncContext::complete));

    post();
    soon(givenUp);

    assertRefusal(post(), 409, "idempotency.in_flight");
  }

  @Test
  void asksForTheOutcomeOfAHandlerWhoseTimeoutWasAnswered() throws Exception {
    Contract asking =
        Contract.STRICT.toBuilder()
            .name("asking")
            .terms(Terms.DEFAULT.withRecovery(Recovery.ASK))
            .build();
    answerTimeouts(asking, AsyncContext::dispatch);

    assertThat(post().text()).isEqualTo("too slow");
    soon(givenUp);
    store.elapse(Terms.DEFAULT.lease());

    assertRefusal(post(), 409, "idempotency.uncertain");
  }

  @Test
  void neverExecutesAgainWhatSucceededAfterTheAnswerToATimeout() throws Exception {
    answerTimeouts(AsyncContext::dispatch);
    assertThat(post().status()).isEqualTo(503);

    ((HttpServletResponse) soon(givenUp).getResponse()).setStatus(201);
    soon(givenUp).complete();

    assertRefusal(post(), 409, "idempotency.answer_not_kept");
  }

  @Test
  void learnsNothingFromAHandlerThatOnlyCompletesAfterTheAnswerToATimeout() throws Exception {
    answerTimeouts(AsyncContext::dispatch);
    assertThat(post().status()).isEqualTo(503);

    soon(givenUp).complete();

    assertRefusal(post(), 409, "idempotency.in_flight");
  }

  /** Serves with a handler that never answers, and answers its timeout in the same way always. */
  private void answerTimeouts(Consumer<AsyncContext> answer) {
    answerTimeouts(Contract.STRICT, answer);
  }

  private void answerTimeouts(Contract contract, Consumer<AsyncContext> answer) {
    serve(
        contract,
        (request, response) -> {
          if (request.getDispatcherType() == DispatcherType.ASYNC) {
            tooSlow(response);
          } else {
            timeOut(request.startAsync(), answer);
          }
        });
  }

  private static void tooSlow(ServletResponse response) {
    ((HttpServletResponse) response).setStatus(503);
    try {
      response.getWriter().print("too slow");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void timeOut(AsyncContext context, Consumer<AsyncContext> answer) {
    context.setTimeout(TIMEOUT_MILLIS);
    context.addListener(
        new Listening() {
          @Override
          public void onTimeout(AsyncEvent event) {
            answer.accept(event.getAsyncContext());
          }

          @Override
          public void onComplete(AsyncEvent event) {
            givenUp.complete(context);
          }
        });
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
