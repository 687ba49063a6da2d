package dev.once.http;

import dev.once.Codec;
import dev.once.Headers;
import dev.once.Key;
import dev.once.NoAnswerException;
import dev.once.Request;
import dev.once.Result;
import dev.once.json.Fingerprinter;
import dev.once.json.JsonRefusedException;
import dev.once.json.JsonRefusedException.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Applies a contract to requests: reads their keys, computes their fingerprints and formats the
 * answers. Thread-safe.
 *
 * <p>An adapter authenticates, checks limits, and then passes a request to {@link #key} and {@link
 * #operation}; it executes {@link HttpOperation#request} with the engine and sends the response
 * that {@link HttpOperation#answer} returns for the result.
 */
public final class HttpOnce {
  private final Contract contract;
  private final Fingerprinter fingerprinter;
  private final Codec<HttpAnswer> codec;
  private final IfMatchParameter ifMatch;
  private final RetryDelays retryDelays = new RetryDelays(System::nanoTime);

  public HttpOnce(Contract contract, Fingerprinter fingerprinter) {
    this.contract = contract;
    this.fingerprinter = fingerprinter;
    this.ifMatch = new IfMatchParameter(contract);
    this.codec = contract.redaction().map(AnswerCodec::redacting).orElse(AnswerCodec.PLAIN);
  }

  public Contract contract() {
    return contract;
  }

  /** Returns whether the contract covers requests with this method on at least some routes. */
  public boolean covers(String method) {
    return contract.coverage().methods().contains(method);
  }

  /** Returns whether the contract covers requests with this method and route. */
  public boolean covers(String method, Route route) {
    return contract.coverage().covers(method, route);
  }

  /** Returns whether a covered request without a key is refused. */
  public boolean requiresKey(Route route) {
    return route.keyRequired().orElse(contract.coverage().required());
  }

  /**
   * Returns the key of a covered request; empty if it has none and needs none.
   *
   * @param lines every line of the contract's key header
   * @throws RefusedException if the key is missing or not accepted
   */
  public Optional<String> key(Route route, List<String> lines) {
    Optional<String> key = contract.key().read(lines);
    if (key.isEmpty() && requiresKey(route)) {
      throw new RefusedException(
          Refusal.KEY_REQUIRED,
          "send a new "
              + contract.key().header()
              + " with every operation, and the same one when"
              + " you try it again");
    }
    return key;
  }

  /**
   * Returns whether the body of a request without a key is read too, because it may name the
   * revision that the request changes.
   *
   * @param contentType the Content-Type header; empty if there is none
   */
  public boolean readsRevision(String contentType) {
    return contract.ifMatch().parameterAllowed() && MediaType.isJson(MediaType.of(contentType));
  }

  /**
   * Returns the operation that is executed once under this key.
   *
   * @param correlation ids that are kept with the record, beside the time of the request
   * @throws RefusedException if the body is JSON without a single meaning
   */
  public HttpOperation operation(
      String key, HttpCall call, Route route, Caller caller, Headers correlation) {
    String scope = scope(route).scope(call.method(), route.template(), caller);
    Request<HttpAnswer> request =
        Request.of(new Key(caller.tenant(), scope, key), codec)
            .withTerms(route.terms().orElse(contract.terms()))
            .withCorrelation(OriginalRequest.correlation(correlation));
    try {
      return new HttpOperation(
          this,
          call.method(),
          route,
          caller,
          request.withFingerprint(compared(call).fingerprint(fingerprinter, caller.tenant())));
    } catch (JsonRefusedException e) {
      throw new RefusedException(
          e.reason() == Reason.TOO_LARGE ? Refusal.BODY_TOO_LARGE : Refusal.BODY_REFUSED,
          String.valueOf(e.getMessage()));
    }
  }

  /**
   * Returns the call that is compared: the same revision in the header, the query or the body is
   * the same call. What {@link IfMatch#require} refuses is compared as it was sent.
   */
  private HttpCall compared(HttpCall call) {
    try {
      return ifMatch.moveToHeader(call);
    } catch (RefusedException e) {
      return call;
    }
  }

  /** Returns the request headers by which requests to a route are compared, besides If-Match. */
  public Set<String> comparedHeaders(Route route) {
    return route.comparedHeaders().orElse(contract.comparedHeaders());
  }

  /** Returns the scope in which keys of a route are unique. */
  ScopeRule scope(Route route) {
    ScopeRule scope = route.scope().orElse(contract.scope());
    contract.operations().ifPresent(path -> Contract.checkOperations(path, scope));
    return scope;
  }

  RetryDelays retryDelays() {
    return retryDelays;
  }

  /** Returns the response to a refused request under the contract. */
  public HttpAnswer refuse(RefusedException refused) {
    return refuse(refused.refusal(), refused.detail(), refused.more());
  }

  /** Returns the response to a temporarily refused request, with {@code Retry-After}. */
  public HttpAnswer refuse(RefusedException refused, Duration retryAfter) {
    return refuse(refused).retryAfter(retryAfter);
  }

  /**
   * Returns the response of a handler that executes another operation, which has no answer for it.
   */
  public HttpAnswer refuse(NoAnswerException refused) {
    HttpAnswer answer = refuse(NoAnswer.innerRefusal(refused.result()));
    return refused.result() instanceof Result.Held<?> held
        ? answer.retryAfter(retryDelays.next(held.key()))
        : answer;
  }

  HttpAnswer refuse(Refusal refusal, String detail, Map<String, String> more) {
    RefusalRule rule = contract.rule(refusal);
    String type = contract.problems() + rule.code();
    Headers headers =
        Headers.NONE
            .with("Content-Type", contract.errors().mediaType())
            .with("Content-Language", "en")
            .with("Cache-Control", "no-store");
    return HttpAnswer.of(
        rule.status(), headers, contract.errors().body(rule, type, detail, more).toBytes());
  }
}
