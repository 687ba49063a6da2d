package dev.once.gateway;

import dev.once.http.HttpAnswer;
import dev.once.http.Refusal;
import dev.once.http.RefusedException;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;

/** Answers to requests that a service did not answer. */
final class UpstreamProblems {
  private UpstreamProblems() {}

  static HttpAnswer circuitOpen(Target target) {
    RefusedException refused =
        new RefusedException(
            Refusal.CIRCUIT_OPEN,
            "nothing was sent, because the service behind the gateway fails: try again later with"
                + " the same key");
    return target.http().refuse(refused, target.upstream().openTime());
  }

  /** Answers a request of which the service got nothing. */
  static HttpAnswer notSent(Target target, Throwable failure) {
    GatewayProblem problem =
        failure instanceof RejectedExecutionException || failure instanceof TimeoutException
            ? GatewayProblem.BUSY
            : GatewayProblem.UNREACHABLE;
    return problem.answer(
        target.http().contract(),
        "the service behind the gateway got nothing of this request: try again with the same key");
  }

  /** Answers a guarded request that may have taken effect. */
  static HttpAnswer unknown(Target target) {
    RefusedException refused =
        new RefusedException(
            Refusal.OUTCOME_UNKNOWN,
            "the request was sent, and no whole answer came back: use no new key; a request with"
                + " the same one is answered as soon as the outcome is known");
    return target.http().refuse(refused, Duration.ofSeconds(1));
  }

  /** Answers a request without a guard that may have taken effect. */
  static HttpAnswer broken(Target target, Throwable failure) {
    if (SlowBodyException.isCauseOf(failure)) {
      return GatewayProblem.BODY_TOO_SLOW.answer(target.http().contract(), "send the body faster");
    }
    return failure instanceof TimeoutException
        ? GatewayProblem.TIMEOUT.answer(
            target.http().contract(), "the service behind the gateway is too slow")
        : GatewayProblem.BROKEN.answer(
            target.http().contract(), "the service behind the gateway broke off");
  }
}
