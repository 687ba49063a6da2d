package dev.once.servlet;

import dev.once.BeginResult;
import dev.once.OnceException;
import dev.once.Recovery;
import dev.once.http.HttpAnswer;
import java.util.concurrent.atomic.AtomicBoolean;

/** An exchange's grant. It ends once: the first call that ends it wins. */
final class ExchangeGrant {
  private final BeginResult.Running<HttpAnswer> running;
  private final CoveredRequest coveredRequest;
  private final AtomicBoolean isOver = new AtomicBoolean();

  ExchangeGrant(BeginResult.Running<HttpAnswer> running, CoveredRequest coveredRequest) {
    this.running = running;
    this.coveredRequest = coveredRequest;
  }

  BeginResult.Running<HttpAnswer> running() {
    return running;
  }

  boolean isOver() {
    return isOver.get();
  }

  /** Ends the grant; returns true for the first call only. */
  boolean end() {
    return isOver.compareAndSet(false, true);
  }

  /** Records the answer, after {@link #end} has returned true. */
  void complete(HttpAnswer answer) {
    running.complete(answer);
  }

  /**
   * Releases, abandons or leaves the grant, after {@link #end} has returned true: no answer is
   * kept.
   */
  void giveBack(Throwable cause) {
    if (coveredRequest.unknown().get()) {
      leave(); // Another attempt must not start while this one may still take effect.
      return;
    }
    boolean rerun = coveredRequest.operation().request().terms().recovery() == Recovery.RERUN;
    if (rerun || coveredRequest.refused().get()) {
      running.release(cause);
    } else {
      running.abandon(cause);
    }
  }

  /** Ends the grant, unless it has ended, with an answer that can no longer be sent. */
  void endLate(CapturedResponse answer) {
    if (!end()) {
      return;
    }
    if (answer.errorStatus() != 0 || !coveredRequest.keeps(answer.getStatus())) {
      giveBack(new ResponseNotKeptException(answer.getStatus()));
      return;
    }
    try {
      running.complete(answer.answerWithoutHeaders());
    } catch (OnceException e) {
      // The engine's listener was notified, and the recovery of the operation decides.
    }
  }

  /** Ends the grant, unless it has ended, when it is unknown what the handler did. */
  void abandon(Throwable cause) {
    if (end()) {
      running.abandon(cause);
    }
  }

  /** Stops the heartbeat: the grant ends with its lease, unless a call ends it before. */
  void leave() {
    running.stopHeartbeat();
  }
}
