package dev.once.http;

import dev.once.Headers;
import dev.once.Headers.Header;
import dev.once.OnceException;
import dev.once.Request;
import dev.once.Result;
import dev.once.StoreException;
import dev.once.TenantLimitException;
import dev.once.UnreadableOutcomeException;
import dev.once.spi.State;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** One operation that a client identified by a key, and its possible answers. Immutable. */
public final class HttpOperation {
  private final HttpOnce http;
  private final String method;
  private final Route route;
  private final Caller caller;
  private final Request<HttpAnswer> request;

  HttpOperation(
      HttpOnce http, String method, Route route, Caller caller, Request<HttpAnswer> request) {
    this.http = http;
    this.method = method;
    this.route = route;
    this.caller = caller;
    this.request = request;
  }

  /** Returns the request to the engine. */
  public Request<HttpAnswer> request() {
    return request;
  }

  public String method() {
    return method;
  }

  public Route route() {
    return route;
  }

  public Caller caller() {
    return caller;
  }

  /** Returns whether an answer with this status is kept and replayed. */
  public boolean keeps(int status) {
    return http.contract().keptStatuses().contains(status);
  }

  /** Returns the response for the engine's result. */
  public Answered answer(Result<HttpAnswer> result) {
    return result.fold(
        executed -> answered(ReplayStatus.MISS, executed.value()),
        this::replay,
        this::inFlight,
        this::conflict,
        this::conflict,
        this::conflict);
  }

  private Answered conflict(Result<HttpAnswer> result) {
    return answered(ReplayStatus.CONFLICT, http.refuse(NoAnswer.refusal(result)));
  }

  /** Returns the response to a request that was executed now and is recorded, or is not kept. */
  public Answered executed(HttpAnswer answer) {
    return answered(ReplayStatus.MISS, answer);
  }

  /**
   * Returns the response to a request that failed in the engine. Of a failure that is not known
   * here, the client is not told that nothing was executed.
   */
  public Answered answer(OnceException failure) {
    return failure instanceof StoreException
            || failure instanceof UnreadableOutcomeException
            || failure instanceof TenantLimitException
        ? notExecuted(failure)
        : outcomeUnknown();
  }

  /** Returns the response to a request that the engine did not execute now. */
  public Answered notExecuted(OnceException failure) {
    if (failure instanceof UnreadableOutcomeException) {
      return refuse(
          ReplayStatus.CONFLICT,
          Refusal.OUTCOME_UNREADABLE,
          "the request took effect, but its answer cannot be read now: use no new key, and try"
              + " again with the same one when this is repaired");
    }
    return failure instanceof TenantLimitException it ? atLimit(it) : storeUnavailable();
  }

  private Answered atLimit(TenantLimitException full) {
    Refusal refusal =
        switch (full.limit()) {
          case LIVE_KEYS -> Refusal.TOO_MANY_KEYS;
          case BYTES -> Refusal.TOO_MANY_BYTES;
          case IN_FLIGHT -> Refusal.TOO_MANY_IN_FLIGHT;
        };
    String detail = "nothing was executed: try again later with the same key";
    return retryAfter(refuse(ReplayStatus.REFUSED, refusal, detail), full.retryAfter());
  }

  /** Returns the response to a request that was executed but could not be recorded. */
  public Answered outcomeUnknown() {
    return retryAfter(
        refuse(
            ReplayStatus.CONFLICT,
            Refusal.OUTCOME_UNKNOWN,
            "the request was executed, but its outcome could not be recorded: try again with the"
                + " same key"),
        Duration.ZERO);
  }

  /**
   * Returns the response to a request that was not executed because the store was unavailable, or
   * whose writes were rolled back because it became so.
   */
  public Answered storeUnavailable() {
    return retryAfter(
        refuse(
            ReplayStatus.REFUSED,
            Refusal.STORE_UNAVAILABLE,
            "nothing was stored: try again with the same key"),
        Duration.ZERO);
  }

  /** Returns the first answer, with the ids of the request that executed and of this one. */
  private Answered replay(Result.Replayed<HttpAnswer> replayed) {
    HttpAnswer answer = replayed.value();
    OriginalRequest original = new OriginalRequest(replayed.correlation());
    for (Header id : original.ids().list()) {
      if (answer.headers().first(id.name()).isEmpty()) {
        answer = answer.with(id.name(), id.value());
      }
    }
    Optional<String> own = request.correlation().first(ReplayHeaders.REQUEST_ID);
    if (own.isPresent()) {
      answer = answer.with(ReplayHeaders.REPLAY_REQUEST_ID, own.get());
    }
    String mark = http.contract().replayHeaders().replayed();
    Answered answered =
        answered(ReplayStatus.HIT, mark.isEmpty() ? answer : answer.with(mark, "true"));
    return new Answered(answered.replayStatus, answered.answer, Optional.of(original));
  }

  private Answered inFlight(Result.Held<HttpAnswer> held) {
    HttpAnswer answer =
        http.contract()
            .operations()
            .map(this::accepted)
            .orElseGet(() -> http.refuse(NoAnswer.refusal(held)));
    return answered(
        ReplayStatus.IN_PROGRESS, answer.retryAfter(http.retryDelays().next(held.key())));
  }

  /** Returns an answer, not a refusal: the operation is running, and the link shows its state. */
  private HttpAnswer accepted(String operations) {
    RefusalRule rule = http.contract().rule(Refusal.IN_FLIGHT);
    String link = operations + OperationId.of(method, route.template(), http.scope(route));
    JsonObject body =
        new JsonObject()
            .put("state", State.IN_PROGRESS.word())
            .put("code", rule.code())
            .put("detail", NoAnswer.IN_FLIGHT)
            .put("operation", link);
    Headers headers =
        Headers.NONE
            .with("Content-Type", "application/json")
            .with("Cache-Control", "no-store")
            .with("Location", link);
    return HttpAnswer.of(rule.status(), headers, body.toBytes());
  }

  private Answered refuse(ReplayStatus replayStatus, Refusal refusal, String detail) {
    return answered(replayStatus, http.refuse(refusal, detail, Map.of()));
  }

  private static Answered retryAfter(Answered answered, Duration time) {
    return new Answered(answered.replayStatus, answered.answer.retryAfter(time));
  }

  private Answered answered(ReplayStatus replayStatus, HttpAnswer answer) {
    if (!http.contract().replayHeaders().status()) {
      return new Answered(replayStatus, answer);
    }
    String status =
        replayStatus == ReplayStatus.REFUSED ? ReplayStatus.MISS.name() : replayStatus.name();
    return new Answered(
        replayStatus,
        answer.with(ReplayHeaders.STATUS, status).with(ReplayHeaders.KEY, request.key().value()));
  }

  /**
   * A response and its meaning.
   *
   * @param replayStatus how the request was answered
   * @param answer the response to send
   * @param original the request that a replay answers again; empty for other responses
   */
  public record Answered(
      ReplayStatus replayStatus, HttpAnswer answer, Optional<OriginalRequest> original) {
    Answered(ReplayStatus replayStatus, HttpAnswer answer) {
      this(replayStatus, answer, Optional.empty());
    }
  }
}
