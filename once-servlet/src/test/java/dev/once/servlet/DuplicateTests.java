package dev.once.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.http.Contract;
import dev.once.http.Route;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Requests that reuse a key while the first request runs, or for a different request. */
abstract class DuplicateTests extends FilterTests {
  private static final Contract PATIENT =
      Contract.STRICT.toBuilder()
          .name("patient")
          .maxWait(Duration.ofSeconds(Gate.PATIENCE_SECONDS))
          .build();

  private final Gate gate = new Gate();

  DuplicateTests(FilterStage stage) {
    super(stage);
  }

  private void handleAtTheGate(OnceFilter.Builder filter) {
    serve(
        filter,
        (request, response) -> {
          gate.pass();
          response.getWriter().print("order " + runs);
        });
  }

  @Test
  void refusesAKeyThatCameWithAnotherBody() throws Exception {
    serve(Contract.STRICT, (request, response) -> response.getWriter().print("done"));
    postTo(PATH, "{\"amount\":1}");

    Reply reply = postTo(PATH, "{\"amount\":2}");

    assertRefusal(reply, 409, "idempotency.payload_mismatch");
    assertThat(runs).hasValue(1);
  }

  @Test
  void takesJsonOfTheSameMeaningForTheSameRequest() throws Exception {
    serve(Contract.STRICT, (request, response) -> response.getWriter().print("done"));

    Reply first = postTo(PATH, "{\"a\":1,\"b\":2}");

    assertReplay(postTo(PATH, "{ \"b\": 2.0, \"a\": 1 }"), first);
  }

  @Test
  void answersADuplicateInFlightWithTheTimeToRetry() throws Exception {
    handleAtTheGate(filter());
    Future<Reply> first = postLater();
    gate.awaitReached();

    Reply second = post();
    gate.open();

    assertRefusal(second, 409, "idempotency.in_flight");
    assertThat(Integer.parseInt(second.header("Retry-After"))).isBetween(1, 30);
    assertThat(soon(first).text()).isEqualTo("order 1");
  }

  @Test
  void linksADuplicateInFlightToItsState() throws Exception {
    handleAtTheGate(
        filter()
            .contract(Contract.ASYNC)
            .routes(request -> Optional.of(Route.of(PATH, Route.Mode.LEASED).withChosen(true))));
    Future<Reply> first = postLater();
    gate.awaitReached();

    Reply second = post();
    Reply state = send(keyed(second.header("Location")).GET());
    gate.open();
    soon(first);

    assertThat(second.status()).isEqualTo(202);
    assertThat(state.text()).contains("\"state\":\"in_progress\"");
    assertThat(send(keyed(second.header("Location")).GET()).text())
        .contains("\"state\":\"completed\"");
  }

  @Test
  void givesTheFirstAnswerToADuplicateThatWaited() throws Exception {
    handleAtTheGate(filter().contract(PATIENT));
    Future<Reply> first = postLater();
    gate.awaitReached();

    Future<Reply> second = postLater();
    store.await("claim", 4); // One of the first request, three of the one that waits.
    assertThat(second).isNotDone();
    gate.open();

    assertReplay(soon(second), soon(first));
    assertThat(runs).hasValue(1);
  }

  @Test
  void letsOneThatWaitedExecuteIfTheFirstDidNot() throws Exception {
    serve(
        PATIENT,
        (request, response) -> {
          int run = runs.get();
          gate.pass();
          response.setStatus(run == 1 ? 500 : 200);
        });
    Future<Reply> first = postLater();
    gate.awaitReached();

    Future<Reply> second = postLater();
    store.await("claim", 4);
    gate.open();

    assertThat(soon(first).status()).isEqualTo(500);
    assertThat(soon(second).status()).isEqualTo(200);
  }

  @Test
  void answersHeldAtOnceWhenTooManyWait() throws Exception {
    handleAtTheGate(filter().contract(PATIENT).maxWaiting(1));
    Future<Reply> first = postLater();
    gate.awaitReached();
    Future<Reply> seated = postLater();
    store.await("claim", 3);

    Reply standing = post();
    gate.open();

    assertRefusal(standing, 409, "idempotency.in_flight");
    assertReplay(soon(seated), soon(first));
  }

  @Test
  void givesASeatBackAfterTheWait() throws Exception {
    Contract hasty =
        Contract.STRICT.toBuilder().name("hasty").maxWait(Duration.ofMillis(20)).build();
    handleAtTheGate(filter().contract(hasty).maxWaiting(1));
    Future<Reply> first = postLater();
    gate.awaitReached();

    List<Integer> claims = Stream.generate(this::claimsOfOneDuplicate).limit(3).toList();
    gate.open();
    soon(first);

    assertThat(claims).allMatch(it -> it > 1); // A duplicate without a permit claims only once.
  }

  private int claimsOfOneDuplicate() {
    int before = store.calls().size();
    try {
      assertThat(post().status()).isEqualTo(409);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    return store.calls().size() - before;
  }
}
