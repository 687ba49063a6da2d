package dev.once.spring;

import dev.once.http.HttpOnce;
import dev.once.http.Refusal;
import dev.once.http.RefusedException;
import dev.once.http.Route;
import dev.once.servlet.CurrentExecution;
import dev.once.servlet.Enforcement;
import dev.once.servlet.ExchangeListener;
import dev.once.servlet.RouteResolver;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Refuses a covered write that reaches its handler without having passed {@code OnceFilter}: a
 * filter behind that one may have changed the path, for example. Also refuses handlers that go
 * asynchronous in a transaction.
 */
final class DispatchGuard implements HandlerInterceptor {
  private static final Logger LOG = LoggerFactory.getLogger(DispatchGuard.class);

  private final Supplier<HttpOnce> http;
  private final Supplier<RouteResolver> routes;
  private final ObjectProvider<ExchangeListener> listeners;
  private final Supplier<Enforcement> enforcement;

  /** Looks up its dependencies at the first request: mappings are created after interceptors. */
  DispatchGuard(
      ObjectProvider<HttpOnce> http,
      ObjectProvider<RouteResolver> routes,
      ObjectProvider<ExchangeListener> listeners,
      ObjectProvider<OnceProperties> properties) {
    this.http = SingletonSupplier.of(http::getObject);
    this.routes = SingletonSupplier.of(routes::getObject);
    this.listeners = listeners;
    this.enforcement = () -> properties.getObject().http().enforcement();
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (CurrentExecution.execution(request).isPresent()) {
      AsyncRefusal.register(request);
      return true;
    }
    if (request.getDispatcherType() == DispatcherType.ERROR
        || CurrentExecution.isPassed(request)
        || !http.get().covers(request.getMethod())
        || !(routes.get() instanceof MvcRoutes mvc)) {
      return true;
    }
    mvc.dispatched(handler, request)
        .filter(route -> http.get().covers(request.getMethod(), route))
        .ifPresent(route -> refuse(route, request));
    return true;
  }

  private void refuse(Route route, HttpServletRequest request) {
    boolean hasKey = request.getHeader(http.get().contract().key().header()) != null;
    if (!hasKey && !http.get().requiresKey(route)) {
      return;
    }
    if (!hasKey && enforcement.get() == Enforcement.REPORT) {
      report(route, request);
      return;
    }
    log(Level.ERROR, route, request);
    throw new RefusedException(
        Refusal.NOT_GUARDED, "the request cannot be guarded on this path: nothing was executed");
  }

  /** Reports a request once, which a handler may have dispatched again. */
  private void report(Route route, HttpServletRequest request) {
    if (request.getDispatcherType() != DispatcherType.ASYNC) {
      log(Level.WARN, route, request);
      listeners.forEach(it -> it.passed(request.getMethod(), route, Refusal.NOT_GUARDED));
    }
  }

  private static void log(Level level, Route route, HttpServletRequest request) {
    LogLine.of(LOG, level, "idempotency.not_guarded")
        .with("endpoint", EndpointName.of(request.getMethod(), route))
        .with(
            "action",
            request.getDispatcherType() == DispatcherType.FORWARD
                ? "a forward does not pass OnceFilter: let the filter or handler wrap the request"
                    + " with its new path instead of forwarding it"
                : "a filter that changes the path must run before OnceFilter: give it an order"
                    + " below "
                    + OnceWebAutoConfiguration.FILTER_ORDER)
        .write();
  }
}
