package dev.once.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.http.Contract;
import dev.once.http.HttpOperation;
import dev.once.http.Refusal;
import dev.once.http.Route;
import dev.once.http.Routes;
import jakarta.servlet.FilterChain;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Requests that the filter does not cover, and requests that it refuses before the claim. */
abstract class PassingTests extends FilterTests {
  private final Gate gate = new Gate();

  PassingTests(FilterStage stage) {
    super(stage);
  }

  @Test
  void neverQueriesTheStoreForAGet() throws Exception {
    store.isDown(true);
    serve(Contract.STRICT, (request, response) -> response.getWriter().print("read"));

    assertThat(send(keyed(PATH).GET()).text()).isEqualTo("read");
  }

  @Test
  void looksForNoRouteOfAGet() throws Exception {
    serve(
        filter()
            .routes(
                request -> {
                  throw new AssertionError("the contract is about no GET");
                }),
        (request, response) -> response.getWriter().print("read"));

    assertThat(send(keyed(PATH).GET()).text()).isEqualTo("read");
  }

  @Test
  void neverQueriesTheStoreForAHead() throws Exception {
    store.isDown(true);
    serve(Contract.STRICT, (request, response) -> response.setContentLength(7));

    Reply reply = send(keyed(PATH).method("HEAD", BodyPublishers.noBody()));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("Content-Length")).isEqualTo("7");
    assertThat(reply.bytes()).isEmpty();
  }

  @Test
  void passesRequestsWithoutAnOptionalKeyUnbuffered() throws Exception {
    store.isDown(true);
    serve(
        Contract.PLANNING,
        (request, response) -> {
          response.getOutputStream().print("first");
          response.flushBuffer();
          gate.pass();
          response.getOutputStream().print("second");
        });

    try (RawClient client = connect()) {
      client.send(
          "POST /orders HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      client.readTo("first");
      gate.awaitReached();
      gate.open();
      assertThat(client.readAll()).contains("second");
    }
  }

  @Test
  void refusesAWriteWithoutItsKey() throws Exception {
    store.isDown(true);
    serve(Contract.STRICT, (request, response) -> {});

    Reply reply = send(to(PATH).POST(BodyPublishers.ofString("{}")));

    assertRefusal(reply, 400, "idempotency.key_required");
    assertThat(reply.header(Site.BEFORE)).isEqualTo("yes");
    assertThat(runs).hasValue(0);
  }

  @Test
  void refusesAnUnauthenticatedCaller() throws Exception {
    serve(filter().callers(request -> Optional.empty()), (request, response) -> {});

    assertRefusal(post(), 401, "auth.required");
    assertThat(runs).hasValue(0);
  }

  @Test
  void findsRoutesWhateverTheContextAndTheSpellingOfThePath() throws Exception {
    Routes routes = Routes.none().with("POST", Route.of("/orders/{id}/lines", Route.Mode.LEASED));
    serve(
        filter().routes(RouteResolver.of(routes)),
        (request, response) -> response.getWriter().print("line"));

    Reply first = postTo("/bare/orders/7/lines", "{}");

    assertReplay(postTo("/bare/orders/7/lines", "{}"), first);
    assertThat(postTo("/bare/ord%65rs/8/lines;v=1", "[]").status()).isEqualTo(409);
  }

  @Test
  void guardsAPathWithASlashAtItsEnd() throws Exception {
    Routes routes = Routes.none().with("POST", Route.of(PATH, Route.Mode.LEASED));
    serve(filter().routes(RouteResolver.of(routes)), (request, response) -> {});

    Reply reply = send(to(PATH + "/").POST(BodyPublishers.ofString("{}")));

    assertRefusal(reply, 400, "idempotency.key_required");
    assertThat(runs).hasValue(0);
  }

  @Test
  void refusesAWriteWithoutARouteIfThatIsChosen() throws Exception {
    serve(
        filter().routes(request -> Optional.empty()).unrouted(Unrouted.REFUSE),
        (request, response) -> {});

    assertRefusal(post(), 500, "idempotency.not_guarded");
    assertThat(send(keyed(PATH).GET()).status()).isEqualTo(200);
    assertThat(runs).hasValue(1);
  }

  @Test
  void executesNothingIfTheLookUpOfTheRouteFails() throws Exception {
    serve(
        filter()
            .routes(
                request -> {
                  throw new IllegalStateException("no look-up");
                }),
        (request, response) -> {});

    assertThat(post().status()).isEqualTo(500);
    assertThat(send(to(PATH).POST(BodyPublishers.ofString("{}"))).status()).isEqualTo(500);
    assertThat(runs).hasValue(0);
  }

  @Test
  void reportsWhatItWouldRefuseWhileKeysAreIntroduced() throws Exception {
    List<Refusal> passed = new CopyOnWriteArrayList<>();
    serve(
        filter()
            .enforcement(Enforcement.REPORT)
            .listener(
                new ExchangeListener() {
                  @Override
                  public void answered(HttpOperation operation, HttpOperation.Answered answered) {}

                  @Override
                  public void passed(String method, Route route, Refusal reason) {
                    passed.add(reason);
                  }
                }),
        (request, response) -> request.getInputStream().transferTo(response.getOutputStream()));

    Reply keyless = send(to(PATH).POST(BodyPublishers.ofString("{}")));
    Reply malformed =
        send(to(PATH).header("Idempotency-Key", "a,b").POST(BodyPublishers.ofString("{}")));

    assertThat(keyless.text()).isEqualTo("{}");
    assertThat(malformed.text()).isEqualTo("{}");
    assertThat(passed).containsExactly(Refusal.KEY_REQUIRED, Refusal.KEY_INVALID);
    assertReplays(post());
    assertThat(runs).hasValue(3);
  }

  @Test
  void tellsOfRequestsThatAreRefusedBeforeTheirKeyIsClaimed() throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    serve(
        filter()
            .listener(
                new ExchangeListener() {
                  @Override
                  public void answered(HttpOperation operation, HttpOperation.Answered answered) {}

                  @Override
                  public void refused(String method, Route route, Refusal reason) {
                    told.add(method + " " + route.template() + " " + reason);
                  }
                }),
        (request, response) -> {});

    send(to(PATH).POST(BodyPublishers.ofString("{}")));
    postTo(PATH, "{\"a\":1,\"a\":2}");

    assertThat(told).containsExactly("POST /orders KEY_REQUIRED", "POST /orders BODY_REFUSED");
  }

  @Test
  void sharesAChainWithAFilterUnderAnotherContract() throws Exception {
    OnceFilter outer = filter().build();
    OnceFilter inner = filter().routes(request -> Optional.empty()).build();
    site()
        .use(
            (request, response, chain) ->
                outer.doFilter(
                    request, response, (to, from) -> inner.doFilter(to, from, after(chain))),
            (request, response) -> response.getWriter().print("order " + runs.incrementAndGet()));

    Reply first = post();

    assertThat(first.text()).isEqualTo("order 1, and more");
    assertReplays(first);
  }

  /** A later filter that appends to the body after the handler. */
  private static FilterChain after(FilterChain chain) {
    return (request, response) -> {
      chain.doFilter(request, response);
      response.getWriter().print(", and more");
    };
  }
}
