package dev.once.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.Key;
import dev.once.Request;
import dev.once.TenantLimits;
import dev.once.Terms;
import dev.once.http.Contract;
import jakarta.servlet.AsyncContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Claim, business writes and answer are one commit. */
abstract class TransactionTests extends TransactionalTests {
  private static final Contract PATIENT =
      Contract.STRICT.toBuilder()
          .name("patient")
          .maxWait(Duration.ofSeconds(Gate.PATIENCE_SECONDS))
          .build();

  private final Gate gate = new Gate();

  TransactionTests(FilterStage stage) {
    super(stage);
  }

  @Test
  void commitsTheWriteWithItsAnswer() throws Exception {
    serveInTransaction(
        Contract.STRICT, (request, response) -> response.getWriter().print("order " + runs));

    Reply first = post();

    assertThat(first.text()).isEqualTo("order 1");
    assertReplays(first);
    assertOrders(1);
  }

  @Test
  void showsTheFenceToTheHandler() throws Exception {
    serveInTransaction(
        Contract.STRICT,
        (request, response) ->
            response
                .getWriter()
                .print(CurrentExecution.execution(request).orElseThrow().fence() > 0));

    assertThat(post().text()).isEqualTo("true");
  }

  @Test
  void sendsNothingBeforeTheCommit() throws Exception {
    serveInTransaction(
        Contract.STRICT,
        (request, response) -> {
          response.getOutputStream().print("done");
          response.flushBuffer();
          gate.pass();
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
  void answersADuplicateInFlight() throws Exception {
    serveInTransaction(
        Contract.STRICT,
        (request, response) -> {
          gate.pass();
          response.getWriter().print("done");
        });
    Future<Reply> first = postLater();
    gate.awaitReached();

    assertRefusal(post(), 409, "idempotency.in_flight");
    gate.open();
    assertReplays(soon(first));
  }

  @Test
  void letsFiftyConcurrentDuplicatesHaveOneEffect() throws Exception {
    serveInTransaction(PATIENT, (request, response) -> response.getWriter().print("order " + runs));
    List<Future<Reply>> replies = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      replies.add(postLater());
    }

    for (Future<Reply> reply : replies) {
      assertThat(soon(reply).text()).isEqualTo("order 1");
    }
    assertOrders(1);
  }

  @Test
  void letsOneThatWaitedExecuteIfTheFirstWasRolledBack() throws Exception {
    serveInTransaction(
        PATIENT,
        (request, response) -> {
          if (runs.get() == 1) {
            gate.pass();
            throw new IllegalStateException("on purpose");
          }
          response.getWriter().print("order " + runs);
        });
    Future<Reply> first = postLater();
    gate.awaitReached();
    Future<Reply> second = postLater();
    gate.open();

    assertThat(soon(first).status()).isEqualTo(500);
    assertThat(soon(second).text()).isEqualTo("order 2");
    assertOrders(1);
  }

  @Test
  void sendsAnAnswerThatIsTooLargeToKeep() throws Exception {
    Contract small =
        Contract.STRICT.toBuilder()
            .name("small")
            .terms(Terms.DEFAULT.withMaxPayloadBytes(1000))
            .build();
    serveInTransaction(small, (request, response) -> response.getWriter().print("x".repeat(3000)));

    assertThat(post().bytes()).hasSize(3000);
    assertRefusal(post(), 409, "idempotency.answer_not_kept");
    assertOrders(1);
  }

  @Test
  void rollsBackAnAnswerThatIsTooLargeToHold() throws Exception {
    serveInTransaction(
        Contract.STRICT,
        (request, response) -> {
          String megabyte = "x".repeat(1 << 20);
          for (int i = 0; i <= Contract.MAX_BODY_BYTES >> 20; i++) {
            response.getWriter().print(megabyte); // A writer does not report failures.
          }
        });

    assertThat(post().status()).isEqualTo(500);
    assertOrders(0);
  }

  @Test
  void refusesToGoAsynchronousAndDoesNotTryAgain() throws Exception {
    AtomicReference<String> message = new AtomicReference<>();
    serveInTransaction(
        Contract.STRICT,
        (request, response) -> {
          assertThat(request.isAsyncSupported()).isFalse();
          try {
            AsyncContext context = request.startAsync();
            context.complete();
          } catch (IllegalStateException e) {
            message.set(String.valueOf(e.getMessage()));
            throw e;
          }
        });

    Reply first = post();

    assertRefusal(first, 409, "idempotency.uncertain");
    assertThat(message.get()).contains(PATH, "transaction", "run the route leased");
    assertReplays(first);
    assertThat(runs).hasValue(1);
    assertOrders(0);
  }

  @Test
  void executesNothingWithoutATransaction() throws Exception {
    serveInTransaction(Contract.STRICT, (request, response) -> {});
    transactions.isDown(true);

    assertRefusal(post(), 503, "idempotency.store_unavailable");
    assertThat(runs).hasValue(0);
  }

  @Test
  void saysThatTheOutcomeIsUnknownAfterACommitWithoutAnAnswer() throws Exception {
    serveInTransaction(
        Contract.STRICT, (request, response) -> response.getWriter().print("order " + runs));
    transactions.loseCommit();

    Reply first = post();

    assertRefusal(first, 503, "idempotency.outcome_unknown");
    assertThat(first.text()).doesNotContain("order");
    assertThat(post().text()).isEqualTo("order 1");
    assertOrders(1);
  }

  @Test
  void executesNothingForATenantAtItsLimit() throws Exception {
    once.run(Request.of(new Key("acme", "other", key), Codec.text()), execution -> "x");
    limits = TenantLimits.NONE.withMaxLiveKeys(1);
    serveInTransaction(Contract.STRICT, (request, response) -> {});

    assertRefusal(post(), 429, "idempotency.too_many_keys");
    assertOrders(0);
  }

  @Test
  void executesNothingAgainWhenAnOutcomeCannotBeRead() throws Exception {
    serveInTransaction(Contract.STRICT, (request, response) -> response.getWriter().print("order"));
    Reply first = post();

    database.change("update once_record set body_form = 'sealed' where key = ?", key);
    assertRefusal(post(), 500, "idempotency.outcome_unreadable");
    database.change("update once_record set body_form = 'raw' where key = ?", key);

    assertReplays(first);
    assertOrders(1);
  }

  @Test
  void leavesALimitThatAHandlerMeetsToTheHandler() throws Exception {
    limits = TenantLimits.NONE.withMaxInFlight(1);
    serveInTransaction(
        Contract.STRICT,
        (request, response) ->
            once.run(Request.of(new Key("acme", "other", key), Codec.text()), nested -> "x"));

    Reply failed = post();

    assertThat(failed.status()).isEqualTo(500);
    assertThat(failed.text()).doesNotContain("idempotency.too_many_in_flight");
    assertOrders(0);
  }
}
