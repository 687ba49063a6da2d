package dev.once.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Terms;
import dev.once.http.Contract;
import jakarta.servlet.http.Cookie;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * No client gets an answer before it is recorded, even if the store fails or clients disconnect.
 */
abstract class SafetyTests extends FilterTests {
  /** Stops soon when an answer cannot be recorded. */
  private static final Contract IMPATIENT =
      Contract.STRICT.toBuilder()
          .terms(Contract.STRICT.terms().withMaxCompletionTime(Duration.ofMillis(100)))
          .build();

  private final Gate gate = new Gate();

  SafetyTests(FilterStage stage) {
    super(stage);
  }

  @Test
  void sendsNothingBeforeTheOutcomeIsSafe() throws Exception {
    store.onComplete(gate::pass);
    serve(
        Contract.STRICT,
        (request, response) -> {
          response.getOutputStream().print("done");
          response.flushBuffer();
          response.getOutputStream().flush();
          response.getOutputStream().close();
        });

    try (RawClient client = connect()) {
      client.send(head(PATH, "Content-Length: 0", "Connection: close"));
      gate.awaitReached();
      assertThat(client.hearsNothing()).isTrue();
      gate.open();
      assertThat(client.readAll()).startsWith("HTTP/1.1 200").endsWith("done");
    }
  }

  @Test
  void executesNothingWhileTheStoreIsDown() throws Exception {
    store.isDown(true);
    serve(Contract.STRICT, (request, response) -> {});

    Reply reply = post();

    assertRefusal(reply, 503, "idempotency.store_unavailable");
    assertThat(reply.header("Retry-After")).isEqualTo("1");
    assertThat(runs).hasValue(0);
  }

  @Test
  void showsNothingOfAnAnswerThatCouldNotBeRecorded() throws Exception {
    store.onComplete(() -> store.isDown(true));
    serve(
        IMPATIENT,
        (request, response) -> {
          response.setStatus(201);
          response.addCookie(new Cookie("session", "secret"));
          response.setHeader("Location", "/secret");
          response.setLocale(Locale.FRENCH);
          response.setTrailerFields(() -> Map.of("Checksum", "secret"));
          response.getWriter().print("secret");
        });

    try (RawClient client = connect()) {
      client.send(head(PATH, "Content-Length: 0", "Connection: close"));
      String all = client.readAll();
      assertThat(all).startsWith("HTTP/1.1 503").contains("idempotency.outcome_unknown");
      assertThat(all).contains(Site.BEFORE + ": yes").containsIgnoringCase("retry-after: 1");
      assertThat(all).doesNotContain("secret").doesNotContain("fr");
    }
  }

  @Test
  void executesAgainOnceTheLeaseOfAnUnknownOutcomeIsOver() throws Exception {
    store.onComplete(() -> store.isDown(true));
    serve(IMPATIENT, (request, response) -> response.getWriter().print("done"));
    assertRefusal(post(), 503, "idempotency.outcome_unknown");
    store.onComplete(() -> {});
    store.isDown(false);

    assertRefusal(post(), 409, "idempotency.in_flight");
    store.elapse(Terms.DEFAULT.lease());
    assertThat(post().text()).isEqualTo("done");
  }

  @Test
  void showsNothingOfAnAnswerWhoseLeaseWasLost() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) -> {
          if (runs.get() == 1) {
            store.elapse(Terms.DEFAULT.lease());
            assertThat(post().text()).isEqualTo("order 2");
          }
          response.getWriter().print("order " + runs);
        });

    assertRefusal(post(), 503, "idempotency.outcome_unknown");
    assertThat(post().text()).isEqualTo("order 2");
  }

  @Test
  void interruptsAHandlerThatLosesItsLease() throws Exception {
    Contract brief =
        Contract.STRICT.toBuilder()
            .name("brief")
            .terms(Terms.DEFAULT.withLease(Duration.ofMillis(200)))
            .build();
    serve(
        brief,
        (request, response) -> {
          store.isDown(true);
          try {
            new CountDownLatch(1).await(Gate.PATIENCE_SECONDS, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            response.getWriter().print("interrupted");
          }
        });

    assertRefusal(post(), 503, "idempotency.outcome_unknown");
  }

  @Test
  void keepsTheOutcomeForAClientThatLeft() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) -> {
          gate.pass();
          response.getWriter().print("done");
        });
    try (RawClient client = connect()) {
      client.send(head(PATH, "Content-Length: 2", "Content-Type: application/json") + "{}");
      gate.awaitReached();
    }

    gate.open();
    store.await("complete", 1);

    Reply reply = post();
    assertThat(reply.isReplay()).isTrue();
    assertThat(reply.text()).isEqualTo("done");
    assertThat(runs).hasValue(1);
  }
}
