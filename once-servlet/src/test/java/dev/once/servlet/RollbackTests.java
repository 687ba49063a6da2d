package dev.once.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.http.Contract;
import dev.once.http.KeptStatuses;
import dev.once.http.Refusal;
import dev.once.http.RefusedException;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What remains after a handler has failed: nothing, or its refusal alone. */
abstract class RollbackTests extends TransactionalTests {
  RollbackTests(FilterStage stage) {
    super(stage);
  }

  @Test
  void keepsTheRefusalOfATransactionThatWasRolledBack() throws Exception {
    serveInTransaction(
        Contract.STRICT,
        (request, response) -> {
          response.setStatus(422);
          response.getWriter().print("try " + runs);
          transactions.setRollbackOnly();
        });

    Reply first = post();

    assertThat(first.status()).isEqualTo(422);
    assertReplays(first);
    assertOrders(0);
  }

  @Test
  void tellsOfAHandlerThatThrew() throws Exception {
    serveInTransaction(
        Contract.STRICT,
        (request, response) -> {
          throw new IllegalStateException("on purpose");
        });

    assertThat(post().status()).isEqualTo(500);
    assertThat(told).containsExactly(500);
  }

  @Test
  void tellsOfAnErrorThatTheContainerAnswers() throws Exception {
    serveInTransaction(Contract.STRICT, (request, response) -> response.sendError(503));

    assertThat(post().status()).isEqualTo(503);
    assertThat(told).containsExactly(503);
  }

  @Test
  void tellsOfASuccessThatWasRolledBack() throws Exception {
    serveInTransaction(Contract.STRICT, (request, response) -> transactions.setRollbackOnly());

    assertThat(post().status()).isEqualTo(500);
    assertThat(told).containsExactly(500);
  }

  @Test
  void sendsNoSuccessThatItsContractDoesNotKeep() throws Exception {
    Contract withoutAccepted =
        Contract.STRICT.toBuilder()
            .name("without 202")
            .keptStatuses(KeptStatuses.ofClasses(Set.of(2, 3, 4)).withNever(Set.of(202)))
            .build();
    serveInTransaction(withoutAccepted, (request, response) -> response.setStatus(202));

    assertThat(post().status()).isEqualTo(500);
    assertOrders(0);
  }

  @Test
  void keepsTheErrorPageOfARefusalButNotItsWrites() throws Exception {
    serveInTransaction(Contract.STRICT, (request, response) -> response.sendError(404));

    Reply first = post();

    assertThat(first.status()).isEqualTo(404);
    assertThat(first.text()).endsWith("for 404");
    assertThat(told).containsExactly(404);
    assertReplays(first);
    assertOrders(0);
  }

  @Test
  void undoesAHandlerWhoseAnswerTheClientDoesNotAccept() throws Exception {
    serveInTransaction(
        Contract.STRICT, (request, response) -> response.setStatus(runs.get() < 2 ? 406 : 201));

    assertThat(post().status()).isEqualTo(406);
    assertOrders(0);
    assertThat(post().status()).isEqualTo(201);
    assertOrders(1);
    assertThat(runs).hasValue(2);
  }

  @Test
  void undoesAHandlerForWhichTheContainerAnswersA406() throws Exception {
    serveInTransaction(Contract.STRICT, (request, response) -> response.sendError(406));

    assertThat(post().status()).isEqualTo(406);
    assertThat(post().isReplay()).isFalse();
    assertOrders(0);
    assertThat(runs).hasValue(2);
  }

  @Test
  void keepsARefusalThatTheHandlerThrew() throws Exception {
    serveInTransaction(
        Contract.STRICT,
        (request, response) -> {
          response.getWriter().print("thrown away");
          throw new RefusedException(Refusal.VERSION_MISMATCH, "it changed");
        });

    Reply first = post();

    assertRefusal(first, 409, "concurrency.version_mismatch");
    assertReplays(first);
    assertThat(runs).hasValue(1);
    assertOrders(0);
  }

  @Test
  void executesAgainAfterARefusalWithoutAnErrorPage() throws Exception {
    serveInTransaction(Contract.STRICT, (request, response) -> response.sendError(404));

    assertThat(postTo(Site.BARE + PATH, "{}").status()).isEqualTo(404);
    assertThat(postTo(Site.BARE + PATH, "{}").status()).isEqualTo(404);
    assertThat(runs).hasValue(2);
    assertOrders(0);
  }

  @Test
  void executesAgainAfterAnErrorOfTheServer() throws Exception {
    serveInTransaction(
        Contract.STRICT,
        (request, response) -> {
          response.setStatus(runs.get() == 1 ? 503 : 200);
          response.getWriter().print("try " + runs);
        });

    assertThat(post().text()).isEqualTo("try 1");
    assertThat(post().text()).isEqualTo("try 2");
    assertOrders(1);
  }

  @Test
  void executesAgainAfterAnException() throws Exception {
    serveInTransaction(
        Contract.STRICT,
        (request, response) -> {
          if (runs.get() == 1) {
            throw new IllegalStateException("on purpose");
          }
        });

    assertThat(post().status()).isEqualTo(500);
    assertOrders(0);
    assertThat(post().status()).isEqualTo(200);
    assertOrders(1);
  }

  @Test
  void keepsTheErrorPageOfAnExceptionUnderAContractThatDoes() throws Exception {
    serveInTransaction(
        Contract.MOBILE,
        (request, response) -> {
          throw new IllegalStateException("on purpose");
        });

    Reply first = post();

    assertThat(first.text()).endsWith("for 500");
    assertReplays(first);
    assertThat(runs).hasValue(1);
    assertOrders(0);
  }

  @Test
  void failsASuccessWhoseTransactionWasRolledBack() throws Exception {
    serveInTransaction(
        Contract.STRICT,
        (request, response) -> {
          response.setStatus(201);
          response.getWriter().print("created");
          transactions.setRollbackOnly();
        });

    Reply reply = post();

    assertThat(reply.status()).isEqualTo(500);
    assertThat(reply.text()).doesNotContain("created");
    assertThat(post().status()).isEqualTo(500);
    assertThat(runs).hasValue(2);
    assertOrders(0);
  }

  @Test
  void releasesTheKeyOfAHandlerThatRefused() throws Exception {
    serveInTransaction(
        Contract.STRICT,
        (request, response) -> {
          CurrentExecution.refuse(request);
          response.getWriter().print("try " + runs);
        });

    assertThat(post().text()).isEqualTo("try 1");
    assertThat(post().text()).isEqualTo("try 2");
    assertOrders(0);
  }
}
