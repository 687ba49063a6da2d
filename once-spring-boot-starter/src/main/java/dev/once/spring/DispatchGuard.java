package dev.once.spring;

import dev.once.http.HttpOnce;
import dev.once.http.Refusal;
import dev.once.http.RefusedException;
import dev.once.http.Route;
import dev.once.servlet.CurrentExecution;
import dev.once.servlet.Enforcement;
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
  private final Supplier<Enforcement> enforcement;

  /** Looks up its dependencies at the first request: mappings are created after interceptors. */
  DispatchGuard(
      ObjectProvider<HttpOnce> http,
      ObjectProvider<RouteResolver> routes,
      ObjectProvider<OnceProperties> properties) {
    this.http = SingletonSupplier.of(http::getObject);
    this.routes = SingletonSupplier.of(routes::getObject);
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
        .filter(route -> isCovered(route, request))
        .ifPresent(DispatchGuard::refuse);
    return true;
  }

  private boolean isCovered(Route route, HttpServletRequest request) {
    HttpOnce contract = http.get();
    String header = contract.contract().key().header();
    return contract.covers(request.getMethod(), route)
        && (request.getHeader(header) != null
            || (contract.requiresKey(route) && enforcement.get() == Enforcement.ENFORCE));
  }

  private static void refuse(Route route) {
    LogLine.of(LOG, Level.ERROR, "idempotency.not_guarded")
        .with("endpoint", route.template())
        .with(
            "action",
            "a filter that changes the path must run before OnceFilter: give it an order below "
                + OnceWebAutoConfiguration.FILTER_ORDER)
        .write();
    throw new RefusedException(
        Refusal.NOT_GUARDED, "the request cannot be guarded on this path: nothing was executed");
  }
}
