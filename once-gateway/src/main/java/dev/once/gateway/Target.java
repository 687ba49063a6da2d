package dev.once.gateway;

import dev.once.http.HttpOnce;
import dev.once.http.Route;
import dev.once.servlet.OnceFilter;
import jakarta.servlet.ServletRequest;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.server.Request;

/**
 * What a gateway does with one request.
 *
 * @param upstream the service that gets it
 * @param address where that service gets it
 * @param http the contract that words refusals
 * @param guard what makes it take effect once; nothing does without one
 * @param route its route; empty if none describes it
 * @param settings the settings of that route; empty for requests that are guarded without one
 * @param privateHeaders headers that are for the gateway alone, in lower case
 */
record Target(
    Upstream upstream,
    URI address,
    HttpOnce http,
    Optional<OnceFilter> guard,
    Optional<Route> route,
    Optional<RouteSettings> settings,
    Set<String> privateHeaders) {
  private static final String ATTRIBUTE = Target.class.getName();

  static Target of(ServletRequest request) {
    return find(request)
        .orElseThrow(() -> new IllegalStateException("the request was not admitted"));
  }

  /** Returns what happens to a request; empty if a servlet of the gateway itself answers it. */
  static Optional<Target> find(ServletRequest request) {
    return Optional.ofNullable((Target) request.getAttribute(ATTRIBUTE));
  }

  void attachTo(Request request) {
    request.setAttribute(ATTRIBUTE, this);
  }

  /** Returns the statuses by which the service says that it did nothing. */
  Set<Integer> doesNothing() {
    return settings.map(RouteSettings::doesNothing).orElse(RouteSettings.DOES_NOTHING);
  }
}
