package dev.once.gateway;

import dev.once.http.Caller;
import dev.once.http.HttpOnce;
import dev.once.http.Refusal;
import dev.once.http.RefusedException;
import dev.once.servlet.Answers;
import dev.once.servlet.RequestIds;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Decides about each request: who sends it, whether it may be sent now, and whether it is guarded.
 * Everything before the guard needs no store.
 */
final class GatewayFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;

  private final transient AtomicReference<Plan> plan;

  GatewayFilter(AtomicReference<Plan> plan) {
    this.plan = plan;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request.getDispatcherType() == DispatcherType.REQUEST) {
      admit(plan.get(), request, response, chain);
    } else {
      Optional<Target> target = Target.find(request);
      if (target.isPresent()) { // Otherwise it was refused before anything started.
        pass(target.get(), request, response, chain);
      }
    }
  }

  private static void admit(
      Plan plan, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    identify(request, response);
    boolean isMounted = isMounted(request);
    Optional<Target> target = isMounted ? Optional.empty() : plan.target(request, path(request));
    if (target.isEmpty() && !isMounted) {
      GatewayProblem.NO_UPSTREAM.send(response, "no upstream takes this path");
      return;
    }
    target.ifPresent(it -> it.attachTo(request));
    Optional<Caller> caller;
    try {
      caller = plan.caller(request);
    } catch (KeysUnavailableException e) {
      GatewayProblem.KEYS_UNAVAILABLE.send(
          response, "nothing was sent: send the same request again, but later");
      return;
    }
    caller.ifPresent(it -> Callers.attach(request, it));
    Duration wait =
        Plan.isWrite(request) ? caller.map(plan::take).orElse(Duration.ZERO) : Duration.ZERO;
    if (!wait.isZero()) {
      RefusedException refused =
          new RefusedException(
              Refusal.RATE_LIMITED, "nothing was sent: send the same request again, but later");
      HttpOnce http = target.map(Target::http).orElseGet(plan::http);
      Answers.write(http.refuse(refused, wait), response);
      return;
    }
    if (target.isPresent()) {
      pass(target.get(), request, response, chain);
    } else {
      chain.doFilter(request, response); // A servlet of our own refuses what it must.
    }
  }

  /** Returns whether a servlet of the gateway itself answers, and not a service. */
  private static boolean isMounted(HttpServletRequest request) {
    return !request.getHttpServletMapping().getServletName().equals(UpstreamServlet.NAME);
  }

  private static void pass(
      Target target, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (target.guard().isPresent()) {
      target.guard().get().doFilter(request, response, chain);
    } else {
      chain.doFilter(request, response);
    }
  }

  /** Gives the request its ids, which the service, the record and the log get. */
  private static void identify(HttpServletRequest request, HttpServletResponse response) {
    var ids = RequestIds.of(request, null);
    String own = ids.first(RequestIds.REQUEST).orElseGet(() -> UUID.randomUUID().toString());
    response.setHeader(RequestIds.REQUEST, own);
    response.setHeader(RequestIds.CORRELATION, ids.first(RequestIds.CORRELATION).orElse(own));
  }

  static String path(HttpServletRequest request) {
    String rest = request.getPathInfo();
    return rest == null ? request.getServletPath() : request.getServletPath() + rest;
  }
}
