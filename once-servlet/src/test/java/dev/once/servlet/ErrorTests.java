package dev.once.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Recovery;
import dev.once.Terms;
import dev.once.http.Contract;
import dev.once.http.Refusal;
import dev.once.http.RefusedException;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;

/** Handlers that call sendError, or throw. */
abstract class ErrorTests extends FilterTests {
  private static final Contract ASKING =
      Contract.STRICT.toBuilder()
          .name("asking")
          .terms(Terms.DEFAULT.withRecovery(Recovery.ASK))
          .build();

  ErrorTests(FilterStage stage) {
    super(stage);
  }

  private void notFound(Contract contract) {
    serve(
        contract,
        (request, response) -> {
          response.getOutputStream().print("thrown away");
          response.sendError(404, "no such order");
          response.getOutputStream().print("comes too late");
        });
  }

  private void fail(Contract contract) {
    serve(
        contract,
        (request, response) -> {
          response.getOutputStream().print("thrown away");
          throw new IllegalStateException("on purpose");
        });
  }

  @Test
  void replaysTheErrorPageOfARefusal() throws Exception {
    notFound(Contract.STRICT);

    Reply first = post();

    assertThat(first.status()).isEqualTo(404);
    assertThat(first.text()).startsWith("page").endsWith("for 404");
    assertThat(assertReplays(first).header("Content-Type")).isEqualTo(first.header("Content-Type"));
    assertThat(runs).hasValue(1);
  }

  /** Nothing can undo what the handler did, so the next request must not do it again. */
  @Test
  void replaysAnAnswerThatTheClientDoesNotAccept() throws Exception {
    serve(Contract.STRICT, (request, response) -> response.setStatus(406));

    Reply first = post();

    assertThat(first.status()).isEqualTo(406);
    assertReplays(first);
    assertThat(runs).hasValue(1);
  }

  @Test
  void replaysTheErrorPageForAnAnswerThatTheClientDoesNotAccept() throws Exception {
    serve(Contract.STRICT, (request, response) -> response.sendError(406));

    Reply first = post();

    assertThat(first.text()).endsWith("for 406");
    assertReplays(first);
    assertThat(runs).hasValue(1);
  }

  @Test
  void executesAgainAfterARefusalWithoutAnErrorPage() throws Exception {
    notFound(Contract.STRICT);

    assertThat(postTo(Site.BARE + PATH, "{}").status()).isEqualTo(404);
    store.elapse(Terms.DEFAULT.lease()); // No error page, so the filter was not called again.
    assertThat(postTo(Site.BARE + PATH, "{}").status()).isEqualTo(404);

    assertThat(runs).hasValue(2);
  }

  @Test
  void executesAtOnceAgainAfterAnErrorPageThatFailed() throws Exception {
    notFound(Contract.STRICT);

    for (int i = 0; i < 2; i++) {
      send(keyed(PATH).header(Site.FAIL_PAGE, "yes").POST(BodyPublishers.ofString("{}")));
    }

    assertThat(runs).hasValue(2);
    assertThat(store.calls()).containsExactly("claim", "release", "claim", "release");
  }

  @Test
  void executesAtOnceAgainAfterAnExceptionThatIsNotKept() throws Exception {
    fail(Contract.STRICT);

    assertThat(post().text()).endsWith("for 500");
    assertThat(post().text()).endsWith("for 500");
    assertThat(postTo(Site.BARE + PATH, "[]").status()).isEqualTo(409);
    assertThat(runs).hasValue(2);
  }

  @Test
  void executesAtOnceAgainAfterAnExceptionWithoutAnErrorPage() throws Exception {
    fail(Contract.STRICT);

    assertThat(postTo(Site.BARE + PATH, "{}").status()).isEqualTo(500);
    assertThat(postTo(Site.BARE + PATH, "{}").status()).isEqualTo(500);
    assertThat(runs).hasValue(2);
  }

  @Test
  void replaysTheErrorPageOfAnExceptionThatIsKept() throws Exception {
    fail(Contract.MOBILE);

    Reply first = post();

    assertThat(first.status()).isEqualTo(500);
    assertThat(first.text()).startsWith("page").endsWith("for 500");
    assertReplays(first);
    assertThat(runs).hasValue(1);
  }

  @Test
  void freesTheKeyOfAnExceptionWithoutAnErrorPage() throws Exception {
    fail(Contract.MOBILE);

    assertThat(postTo(Site.BARE + PATH, "{}").status()).isEqualTo(500);
    assertThat(postTo(Site.BARE + PATH, "{}").status()).isEqualTo(409);
    store.elapse(Terms.DEFAULT.lease());
    assertThat(postTo(Site.BARE + PATH, "{}").status()).isEqualTo(500);
    assertThat(runs).hasValue(2);
  }

  @Test
  void passesAnErrorThatIsNotKeptToTheErrorPage() throws Exception {
    serve(Contract.STRICT, (request, response) -> response.sendError(503));

    assertThat(post().text()).endsWith("for 503");
    assertThat(post().text()).endsWith("for 503");
    assertThat(runs).hasValue(2);
  }

  @Test
  void keepsAnErrorStatusThatTheHandlerWordedItself() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) -> {
          response.setStatus(422);
          response.getWriter().print("amount must be positive");
        });

    assertReplays(post());
    assertThat(store.outcomes().get(0).failed()).isTrue();
  }

  @Test
  void answersARefusalThatTheHandlerThrewInTheWordsOfTheContract() throws Exception {
    serve(
        Contract.MOBILE,
        (request, response) -> {
          response.getWriter().print("thrown away");
          throw new RefusedException(Refusal.VERSION_MISMATCH, "it changed");
        });

    Reply first = post();

    assertRefusal(first, 409, "CONCURRENCY_VERSION_MISMATCH");
    assertReplays(first);
    assertThat(runs).hasValue(1);
  }

  @Test
  void isUncertainAfterAnExceptionThatMayHaveComeTooLate() throws Exception {
    fail(ASKING);

    assertThat(post().status()).isEqualTo(500);
    assertRefusal(post(), 409, "idempotency.uncertain");
    assertThat(runs).hasValue(1);
  }

  @Test
  void releasesTheKeyOfAHandlerThatRefused() throws Exception {
    serve(
        ASKING,
        (request, response) -> {
          CurrentExecution.refuse(request);
          response.getWriter().print("not today");
        });

    assertThat(post().text()).isEqualTo("not today");
    assertThat(post().isReplay()).isFalse();
    assertThat(store.calls()).containsExactly("claim", "release", "claim", "release");
  }

  @Test
  void letsTheHandlerSeeItsFence() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) -> {
          var execution = CurrentExecution.execution(request).orElseThrow();
          response.setStatus(500);
          response.getWriter().print(execution.fence() + " " + execution.attempt());
        });

    assertThat(post().text()).isEqualTo("1 1");
    assertThat(post().text()).isEqualTo("2 2");
  }

  @Test
  void endsAnExchangeThatFailedWithAnUndeclaredException() throws Exception {
    serve(Contract.STRICT, (request, response) -> {});
    OnceFilter filter = filter().build();
    site()
        .use(
            (request, response, chain) ->
                filter.doFilter(
                    request,
                    response,
                    (to, from) -> ErrorTests.<RuntimeException>sneak(new Exception("checked"))),
            (request, response) -> {});

    assertThat(post().status()).isEqualTo(500);
    assertThat(store.calls()).containsExactly("claim", "release");
  }

  /** Throws a checked exception that is not declared, as other JVM languages can. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <X extends Exception> void sneak(Exception failure) throws X {
    throw (X) failure;
  }
}
