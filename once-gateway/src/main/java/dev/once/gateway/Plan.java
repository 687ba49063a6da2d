package dev.once.gateway;

import dev.once.Once;
import dev.once.Reconciler;
import dev.once.http.Caller;
import dev.once.http.Contract;
import dev.once.http.HttpAnswer;
import dev.once.http.HttpOnce;
import dev.once.http.HttpOperation;
import dev.once.http.Refusal;
import dev.once.http.RefusalRule;
import dev.once.http.Route;
import dev.once.http.Routes;
import dev.once.json.Fingerprinter;
import dev.once.servlet.BodySpool;
import dev.once.servlet.Enforcement;
import dev.once.servlet.ExchangeListener;
import dev.once.servlet.OnceFilter;
import dev.once.servlet.Unrouted;
import dev.once.spi.RecordStore;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.server.Request;

/**
 * The settings of a gateway, ready to use. Immutable: when the settings change, new requests get a
 * new plan, and requests that have started keep theirs.
 */
final class Plan {
  /** The route of writes that no route describes: their keys are unique over all paths. */
  static final String EVERYTHING_ELSE = "/**";

  private static final Set<String> WRITES = Set.of("POST", "PUT", "PATCH", "DELETE");

  private final GatewaySettings settings;
  private final List<Upstream> upstreams;
  private final Identity identity;
  private final Optional<RateLimits> rateLimits;
  private final Map<String, HttpOnce> contracts = new HashMap<>();
  private final Map<String, OnceFilter> guards = new HashMap<>();
  private final IdentityHashMap<Route, RouteSettings> byRoute = new IdentityHashMap<>();
  private final Routes routes;
  private final Route everythingElse;
  private final StatusProbes probes;
  private final BodySpool spool;

  Plan(
      GatewaySettings settings,
      Once once,
      RecordStore store,
      ExchangeListener listener,
      StatusProbes probes,
      Spool spool) {
    this.settings = settings;
    this.spool = spool.upTo(settings.bodies());
    this.probes = probes;
    this.upstreams =
        settings.upstreams().stream()
            .sorted(Comparator.comparingInt(it -> -it.path().length()))
            .map(Upstream::new)
            .toList();
    this.identity = new Identity(settings.authentication());
    this.rateLimits = settings.rateLimit().map(RateLimits::new);
    Routes table = Routes.none();
    for (RouteSettings route : settings.routes()) {
      byRoute.put(route.route(), route);
      table = table.with(route.method(), route.route());
      addContract(route.contract(), once, store, listener);
    }
    this.routes = table;
    this.everythingElse =
        Route.of(EVERYTHING_ELSE, Route.Mode.LEASED)
            .withChosen(true)
            .withTerms(settings.protection().terms());
    addContract(settings.protection().contract(), once, store, listener);
  }

  private void addContract(
      Contract contract, Once once, RecordStore store, ExchangeListener listener) {
    if (contracts.containsKey(contract.name())) {
      return;
    }
    Contract ours = ofGateway(contract);
    contracts.put(contract.name(), new HttpOnce(ours, Fingerprinter.builder().build()));
    guards.put(
        contract.name(),
        OnceFilter.builder(once, store)
            .contract(ours)
            .callers(Callers::of)
            .routes(it -> Target.of(it).route())
            .unrouted(Unrouted.REFUSE)
            .enforcement(
                settings.protection().mode() == ProtectionSettings.Mode.REPORT
                    ? Enforcement.OBSERVE
                    : Enforcement.ENFORCE)
            .listener(listener)
            .reconcilers(this::reconciler)
            .spool(spool)
            .build());
  }

  /** A proxy that does not know what its upstream did answers 504. */
  private static Contract ofGateway(Contract contract) {
    RefusalRule unknown = contract.refusals().get(Refusal.OUTCOME_UNKNOWN);
    return unknown == null
        ? contract
        : contract.toBuilder()
            .refusal(Refusal.OUTCOME_UNKNOWN, RefusalRule.of(504, unknown.code(), unknown.title()))
            .build();
  }

  private Optional<Reconciler<HttpAnswer>> reconciler(
      HttpOperation operation, HttpServletRequest request) {
    Target target = Target.of(request);
    return target
        .settings()
        .flatMap(RouteSettings::probe)
        .map(it -> probes.probe(it, target, operation, request));
  }

  GatewaySettings settings() {
    return settings;
  }

  /** Returns the contract of requests that no route describes. */
  HttpOnce http() {
    return http(settings.protection().contract());
  }

  static boolean isWrite(String method) {
    return WRITES.contains(method);
  }

  /** Returns whether a service that ignores case would take the method for that of a write. */
  static boolean isMisspelledWrite(String method) {
    return !isWrite(method) && WRITES.contains(method.toUpperCase(Locale.ROOT));
  }

  /** Returns who sends a request; empty if it does not prove that. */
  Optional<Caller> caller(Request request) {
    return identity.caller(request);
  }

  /** Takes a write from the caller's allowance; returns zero, or how long to wait for it. */
  Duration take(Caller caller) {
    return rateLimits.map(it -> it.take(caller)).orElse(Duration.ZERO);
  }

  /** Returns the headers, in lower case, that are for the gateway and not for a service. */
  Set<String> privateHeaders() {
    return identity.ownHeaders();
  }

  /** Returns the service for a path; empty if there is none. */
  Optional<Upstream> upstream(String path) {
    return upstreams.stream().filter(it -> it.settings().takes(path)).findFirst();
  }

  /** Returns what happens to a request that is for a service at an address. */
  Target target(Upstream upstream, URI address, String method, String path) {
    Optional<Route> route = routes.match(method, path);
    Optional<RouteSettings> found = route.map(byRoute::get);
    Contract contract = found.map(RouteSettings::contract).orElse(settings.protection().contract());
    boolean isGuarded =
        isWrite(method)
            ? found
                .map(RouteSettings::isGuarded)
                .orElse(settings.protection().unrouted() != ProtectionSettings.Unrouted.PASS)
            : asksForState(contract, path);
    boolean guardsAll = settings.protection().unrouted() == ProtectionSettings.Unrouted.PROTECT;
    return new Target(
        upstream,
        address,
        http(contract),
        Optional.ofNullable(isGuarded ? guards.get(contract.name()) : null),
        route.or(() -> guardsAll ? Optional.of(everythingElse) : Optional.empty()),
        found,
        privateHeaders());
  }

  /** The filter answers questions for the state of an operation where the contract offers that. */
  private static boolean asksForState(Contract contract, String path) {
    return contract.operations().map(path::startsWith).orElse(false);
  }

  private HttpOnce http(Contract contract) {
    HttpOnce http = contracts.get(contract.name());
    if (http == null) {
      throw new AssertionError("no contract " + contract.name());
    }
    return http;
  }
}
