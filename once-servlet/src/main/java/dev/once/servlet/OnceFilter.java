package dev.once.servlet;

import dev.once.BeginResult;
import dev.once.Headers;
import dev.once.Once;
import dev.once.OnceException;
import dev.once.Request;
import dev.once.StoreException;
import dev.once.UnreadableOutcomeException;
import dev.once.http.Caller;
import dev.once.http.Contract;
import dev.once.http.HttpAnswer;
import dev.once.http.HttpCall;
import dev.once.http.HttpOnce;
import dev.once.http.HttpOperation;
import dev.once.http.IfMatch;
import dev.once.http.Operations;
import dev.once.http.Refusal;
import dev.once.http.RefusedException;
import dev.once.http.Route;
import dev.once.json.CanonicalJson;
import dev.once.json.Fingerprinter;
import dev.once.json.JsonLimits;
import dev.once.spi.RecordStore;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Makes every write that passes through it take effect once, under one contract. Place it after
 * authentication, authorization and rate limits: a caller without permission must be refused before
 * a record could answer. Register it for the dispatches {@code REQUEST}, {@code ASYNC} and {@code
 * ERROR}, with asynchronous requests supported.
 *
 * <p>Requests that the contract does not cover pass unchanged and unbuffered, and so do requests
 * without an optional key, unless their JSON body may name a revision; a GET never reaches the
 * store, except for the state of an operation where the contract offers it.
 */
public final class OnceFilter implements Filter {
  private static final AtomicInteger FILTERS = new AtomicInteger();

  /** The request attribute for exchanges of this filter, distinct from those of other instances. */
  private final String attribute =
      SuspendedExchange.class.getName() + "." + FILTERS.incrementAndGet();

  private final HttpOnce http;
  private final Contract contract;
  private final Once once;
  private final Operations operations;
  private final CallerResolver callers;
  private final RouteResolver routes;
  private final @Nullable Transactions transactions;
  private final ExchangeListener listener;
  private final WaitLimit waitLimit;
  private final Unrouted unrouted;
  private final Enforcement enforcement;
  private final ReconcilerResolver reconcilers;
  private final @Nullable BodySpool spool;

  private OnceFilter(Builder builder) {
    this.contract = builder.contract;
    this.http = new HttpOnce(contract, builder.fingerprinter());
    this.once = builder.once;
    this.operations = new Operations(contract, builder.store);
    this.callers = Objects.requireNonNull(builder.callers, "a filter needs callers: set them");
    this.routes = Objects.requireNonNull(builder.routes, "a filter needs routes: set them");
    this.transactions = builder.transactions;
    this.listener = builder.listener;
    this.waitLimit = new WaitLimit(once, builder.maxWaiting);
    this.unrouted = builder.unrouted;
    this.enforcement = builder.enforcement;
    this.reconcilers = builder.reconcilers;
    this.spool = builder.spool;
  }

  /** Creates a builder for a filter over an engine and that engine's store. */
  public static Builder builder(Once once, RecordStore store) {
    return new Builder(once, store);
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request instanceof HttpServletRequest it && response instanceof HttpServletResponse to) {
      doFilter(it, to, chain);
    } else {
      chain.doFilter(request, response);
    }
  }

  private void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request.getDispatcherType() == DispatcherType.REQUEST) {
      admit(request, ResponseSender.to(response, listener), chain);
    } else if (request.getAttribute(attribute) instanceof SuspendedExchange pending) {
      pending.resume(request, response, chain);
    } else {
      chain.doFilter(request, response);
    }
  }

  private void admit(HttpServletRequest request, ResponseSender sender, FilterChain chain)
      throws IOException, ServletException {
    try {
      serve(request, sender, chain);
    } catch (RefusedException refused) {
      if (sender.response().isCommitted()) {
        throw refused;
      }
      sender.sendInstead(http.refuse(refused));
    }
  }

  /** Checks limits, then the key; then claims and calls the handler. */
  private void serve(HttpServletRequest request, ResponseSender sender, FilterChain chain)
      throws IOException, ServletException {
    if (request.getMethod().equals("GET")) {
      Optional<String> operation = operations.idIn(request.getRequestURI());
      if (operation.isPresent()) {
        sender.sendInstead(state(operation.get(), request));
        return;
      }
    }
    if (!http.covers(request.getMethod())) { // A read needs no route.
      chain.doFilter(request, sender.response());
      return;
    }
    Optional<Route> route = routes.route(request);
    if (route.isEmpty() && unrouted == Unrouted.REFUSE) {
      throw new RefusedException(
          Refusal.NOT_GUARDED, "no route describes this request, so it cannot be guarded");
    }
    List<String> lines = lines(request, contract.key().header());
    Optional<Route> covered = route.filter(it -> http.covers(request.getMethod(), it));
    if (covered.isEmpty()) {
      chain.doFilter(request, sender.response());
    } else if (lines.isEmpty() && !http.requiresKey(covered.get())) {
      pass(request, sender, chain);
    } else {
      guard(covered.get(), lines, request, sender, chain);
    }
  }

  /** Calls the handler of a request without a key, whose body is read if it may name a revision. */
  private void pass(HttpServletRequest request, ResponseSender sender, FilterChain chain)
      throws IOException, ServletException {
    boolean reads = http.readsRevision(RequestBody.typeOf(request));
    if (!reads || enforcement != Enforcement.ENFORCE) { // Reports refuse no body for its size.
      chain.doFilter(request, sender.response());
      return;
    }
    RequestBody.checkLength(request, contract, spool);
    RequestBody body = RequestBody.read(request, contract, spool);
    CurrentExecution.change(request, IfMatch.of(contract, call(request, body)));
    SuspendedExchange exchange = new UnkeyedExchange(body);
    request.setAttribute(attribute, exchange);
    exchange.resume(request, sender.response(), chain);
  }

  private void guard(
      Route route,
      List<String> lines,
      HttpServletRequest request,
      ResponseSender sender,
      FilterChain chain)
      throws IOException, ServletException {
    Caller caller;
    String key;
    try {
      caller = caller(request);
      RequestBody.checkLength(request, contract, spool);
      key = http.key(route, lines).orElseThrow();
    } catch (RefusedException refused) {
      if (enforcement == Enforcement.ENFORCE) {
        listener.refused(request.getMethod(), route, refused.refusal());
        throw refused;
      }
      listener.passed(request.getMethod(), route, refused.refusal());
      CurrentExecution.pass(request);
      chain.doFilter(request, sender.response());
      return;
    }
    if (enforcement == Enforcement.OBSERVE) {
      observe(route, key, caller, request, sender, chain);
      return;
    }
    CoveredRequest coveredRequest;
    try {
      coveredRequest = read(route, key, caller, request, sender);
    } catch (RefusedException refused) {
      listener.refused(request.getMethod(), route, refused.refusal());
      throw refused;
    }
    execute(coveredRequest, chain);
  }

  /** Calls the handler, and reports whether an earlier request had this key. */
  private void observe(
      Route route,
      String key,
      Caller caller,
      HttpServletRequest request,
      ResponseSender sender,
      FilterChain chain)
      throws IOException, ServletException {
    RequestBody body = RequestBody.read(request, contract, spool);
    HttpCall call = call(request, body).withHeaders(compared(request, route));
    try {
      HttpOperation operation = http.operation(key, call, route, caller, Headers.NONE);
      new Observation(once, operation).report(listener);
    } catch (RefusedException refused) {
      listener.passed(request.getMethod(), route, refused.refusal());
    }
    CurrentExecution.pass(request);
    SuspendedExchange exchange = new UnkeyedExchange(body);
    request.setAttribute(attribute, exchange);
    exchange.resume(request, sender.response(), chain);
  }

  private CoveredRequest read(
      Route route, String key, Caller caller, HttpServletRequest request, ResponseSender sender)
      throws IOException, ServletException {
    RequestBody body = RequestBody.read(request, contract, spool);
    Headers correlation = RequestIds.of(request, sender.response());
    HttpCall call = call(request, body).withHeaders(compared(request, route));
    HttpOperation operation = http.operation(key, call, route, caller, correlation);
    CurrentExecution.change(request, IfMatch.of(contract, call));
    return new CoveredRequest(
        http,
        operation,
        request,
        body,
        sender,
        CurrentExecution.refused(request),
        CurrentExecution.unknown(request),
        attribute);
  }

  private void execute(CoveredRequest coveredRequest, FilterChain chain)
      throws IOException, ServletException {
    HttpOperation operation = coveredRequest.operation();
    if (operation.route().mode() == Route.Mode.TRANSACTIONAL) {
      new TransactionalExchange(coveredRequest, once, transactions(operation))
          .start(chain, waitLimit);
      return;
    }
    BeginResult<HttpAnswer> begun;
    try {
      begun = waitLimit.begin(reconciled(coveredRequest));
    } catch (OnceException e) { // Also if the grant was lost before the start.
      coveredRequest.sender().send(operation, operation.notExecuted(e));
      return;
    }
    if (begun instanceof BeginResult.Running<HttpAnswer> running) {
      new LeasedExchange(coveredRequest, running).start(chain);
    } else if (begun instanceof BeginResult.Answered<HttpAnswer> answered) {
      coveredRequest.sender().send(operation, operation.answer(answered.result()));
    } else {
      throw new AssertionError("unhandled result of begin " + begun);
    }
  }

  private Request<HttpAnswer> reconciled(CoveredRequest coveredRequest) {
    HttpOperation operation = coveredRequest.operation();
    return reconcilers
        .reconciler(operation, coveredRequest.request())
        .map(operation.request()::withReconciler)
        .orElse(operation.request());
  }

  private HttpAnswer state(String operation, HttpServletRequest request) {
    Caller caller = caller(request);
    try {
      return operations.state(operation, lines(request, contract.key().header()), caller);
    } catch (StoreException e) {
      return http.refuse(
          new RefusedException(Refusal.STORE_UNAVAILABLE, "the state cannot be read now"));
    } catch (UnreadableOutcomeException e) {
      return http.refuse(
          new RefusedException(Refusal.OUTCOME_UNREADABLE, "it is done, but cannot be read now"));
    }
  }

  private Caller caller(HttpServletRequest request) {
    return callers
        .caller(request)
        .orElseThrow(
            () ->
                new RefusedException(
                    Refusal.CALLER_REQUIRED, "authenticate: keys are looked up per caller"));
  }

  private Transactions transactions(HttpOperation operation) {
    if (transactions == null) {
      throw new IllegalStateException(
          operation.route().template()
              + " is transactional, but the filter has no transactions: set them, or run it"
              + " leased");
    }
    return transactions;
  }

  private static HttpCall call(HttpServletRequest request, RequestBody body) {
    return HttpCall.of(
        request.getMethod(),
        request.getRequestURI(),
        Objects.requireNonNullElse(request.getQueryString(), ""),
        lines(request, "If-Match"),
        body.compared());
  }

  private List<String> compared(HttpServletRequest request, Route route) {
    return http.comparedHeaders(route).stream()
        .sorted()
        .flatMap(name -> lines(request, name).stream().map(line -> name + ": " + line))
        .toList();
  }

  private static List<String> lines(HttpServletRequest request, String header) {
    return Collections.list(request.getHeaders(header));
  }

  /** Builds a filter; discarded after {@link #build}. */
  public static final class Builder {
    /** Enough for a burst, and few enough to leave threads for other requests. */
    private static final int DEFAULT_MAX_WAITING = 64;

    private final Once once;
    private final RecordStore store;
    private Contract contract = Contract.STRICT;
    private @Nullable Fingerprinter fingerprinter;
    private @Nullable CallerResolver callers;
    private @Nullable RouteResolver routes;
    private @Nullable Transactions transactions;
    private ExchangeListener listener = ExchangeListener.NONE;
    private int maxWaiting = DEFAULT_MAX_WAITING;
    private Unrouted unrouted = Unrouted.PASS;
    private Enforcement enforcement = Enforcement.ENFORCE;
    private ReconcilerResolver reconcilers = ReconcilerResolver.NONE;
    private @Nullable BodySpool spool;

    private Builder(Once once, RecordStore store) {
      this.once = once;
      this.store = store;
    }

    /** Sets the contract; {@link Contract#STRICT} by default. */
    public Builder contract(Contract contract) {
      this.contract = contract;
      return this;
    }

    /** Sets how requests are compared; by SHA-256 without a secret by default. */
    public Builder fingerprinter(Fingerprinter fingerprinter) {
      this.fingerprinter = fingerprinter;
      return this;
    }

    /** Sets how the sender of a request is determined. */
    public Builder callers(CallerResolver callers) {
      this.callers = callers;
      return this;
    }

    /** Sets how the route of a request is determined. */
    public Builder routes(RouteResolver routes) {
      this.routes = routes;
      return this;
    }

    /** Sets the transactions of transactional routes; required if there are such routes. */
    public Builder transactions(Transactions transactions) {
      this.transactions = transactions;
      return this;
    }

    public Builder listener(ExchangeListener listener) {
      this.listener = listener;
      return this;
    }

    /** Sets how many duplicates may wait at the same time; others are answered immediately. */
    public Builder maxWaiting(int maxWaiting) {
      if (maxWaiting < 0) {
        throw new IllegalArgumentException(
            "number of waiting duplicates must be 0 or more, got " + maxWaiting);
      }
      this.maxWaiting = maxWaiting;
      return this;
    }

    /** Sets what happens to writes that no route describes; they pass by default. */
    public Builder unrouted(Unrouted unrouted) {
      this.unrouted = unrouted;
      return this;
    }

    /** Sets what happens to requests without a valid key; they are refused by default. */
    public Builder enforcement(Enforcement enforcement) {
      this.enforcement = enforcement;
      return this;
    }

    /**
     * Sets what finds out whether an operation took effect after its lease ran out; without it, and
     * with recovery {@code ASK}, that is left to an operator.
     */
    public Builder reconcilers(ReconcilerResolver reconcilers) {
      this.reconcilers = reconcilers;
      return this;
    }

    /**
     * Sets where bodies are kept that are larger than the contract allows in memory; without it,
     * they are refused. With it, all multipart bodies are compared by their bytes.
     */
    public Builder spool(BodySpool spool) {
      this.spool = spool;
      return this;
    }

    /** Returns the fingerprinter; the default one takes JSON as large as the contract allows. */
    private Fingerprinter fingerprinter() {
      if (fingerprinter != null) {
        return fingerprinter;
      }
      JsonLimits limits = JsonLimits.DEFAULTS.withMaxBytes(Math.max(1, contract.maxBodyBytes()));
      return Fingerprinter.builder().json(CanonicalJson.standard().within(limits)).build();
    }

    public OnceFilter build() {
      return new OnceFilter(this);
    }
  }
}
