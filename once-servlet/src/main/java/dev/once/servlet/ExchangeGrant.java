package dev.once.servlet;

import dev.once.BeginResult;
import dev.once.OnceException;
import dev.once.Recovery;
import dev.once.http.HttpAnswer;
import java.util.concurrent.atomic.AtomicBoolean;

/** An exchange's right to execute, which is given up once, by whoever gets there first. */
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

  /** Whether the caller is the one to end it. */
  boolean end() {
    return isOver.compareAndSet(false, true);
  }

  /** Records the answer of whoever ended it. */
  void complete(HttpAnswer answer) {
    running.complete(answer);
  }

  /** Gives it back for whoever ended it: nothing is kept of what the handler answered. */
  void giveBack(Throwable cause) {
    boolean rerun = coveredRequest.operation().request().terms().recovery() == Recovery.RERUN;
    if (rerun || coveredRequest.refused().get()) {
      running.release(cause);
    } else {
      running.abandon(cause);
    }
  }

  /** Ends it if it has not ended, by an answer that nobody waits for any longer. */
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
      // The engine's listener knows, and the recovery of the operation decides.
    }
  }

  /** Ends it if it has not ended: nobody knows what the handler did. */
  void abandon(Throwable cause) {
    if (end()) {
      running.abandon(cause);
    }
  }

  /** Lets it end by itself when the lease has run out, unless someone ends it before. */
  void leave() {
    running.stopHeartbeat();
  }
}
