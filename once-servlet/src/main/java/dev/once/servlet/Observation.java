package dev.once.servlet;

import dev.once.BeginResult;
import dev.once.Headers;
import dev.once.Key;
import dev.once.Once;
import dev.once.OnceException;
import dev.once.Request;
import dev.once.http.HttpAnswer;
import dev.once.http.HttpOperation;
import dev.once.http.ReplayStatus;

/**
 * Remembers which operations were seen, without guarding them. Its records have a scope of their
 * own: they hold no answers, and must never be replayed when the same routes are enforced later.
 */
record Observation(Once once, HttpOperation operation) {
  private static final String SCOPE = "observed:";
  private static final HttpAnswer SEEN = HttpAnswer.of(204, Headers.NONE, new byte[0]);

  /** Reports whether this is a first request. What fails only makes the report incomplete. */
  void report(ExchangeListener listener) {
    ReplayStatus status;
    try {
      status = status();
    } catch (OnceException e) {
      return; // The engine's listener was notified.
    } catch (IllegalArgumentException e) {
      return; // With the prefix, the scope is longer than one may be.
    }
    listener.observed(operation, status);
  }

  private ReplayStatus status() {
    BeginResult<HttpAnswer> begun = once.begin(WaitLimit.withoutWait(seen()));
    if (begun instanceof BeginResult.Running<HttpAnswer> running) {
      running.complete(SEEN);
      return ReplayStatus.MISS;
    }
    return operation.answer(((BeginResult.Answered<HttpAnswer>) begun).result()).replayStatus();
  }

  private Request<HttpAnswer> seen() {
    Request<HttpAnswer> request = operation.request();
    Key key = request.key();
    return Request.of(new Key(key.tenant(), SCOPE + key.scope(), key.value()), request.codec())
        .withFingerprint(request.fingerprint())
        .withTerms(request.terms());
  }
}
