package dev.once.spring;

import dev.once.http.HttpOnce;
import dev.once.http.Route;
import dev.once.servlet.RouteResolver;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Refuses, at start, handlers that cannot be executed as their routes say. */
final class RouteCheck implements SmartInitializingSingleton {
  private final HttpOnce http;
  private final RouteResolver routes;
  private final ObjectProvider<RequestMappingHandlerMapping> mappings;

  RouteCheck(
      HttpOnce http, RouteResolver routes, ObjectProvider<RequestMappingHandlerMapping> mappings) {
    this.http = http;
    this.routes = routes;
    this.mappings = mappings;
  }

  @Override
  public void afterSingletonsInstantiated() {
    if (routes instanceof MvcRoutes mvc) {
      mappings.forEach(
          mapping ->
              mapping.getHandlerMethods().forEach((info, handler) -> check(mvc, info, handler)));
    }
  }

  private void check(MvcRoutes mvc, RequestMappingInfo info, HandlerMethod handler) {
    for (String template : info.getPatternValues()) {
      for (String method : writes(info, http)) {
        route(mvc, handler, template, method);
      }
    }
  }

  private void route(MvcRoutes mvc, HandlerMethod handler, String template, String method) {
    try {
      mvc.route(handler, template, method)
          .filter(route -> http.covers(method, route))
          .ifPresent(route -> check(route, handler));
    } catch (IllegalArgumentException e) {
      throw new MisconfiguredException(
          where(handler) + ": " + e.getMessage() + ".",
          "Change its @Idempotent, or the settings under once.http.routes.");
    }
  }

  private void check(Route route, HandlerMethod handler) {
    if (route.mode() == Route.Mode.TRANSACTIONAL
        && AsyncTypes.isAsynchronous(handler.getMethod())) {
      throw new MisconfiguredException(
          where(handler)
              + " returns before its work has ended, but "
              + route.template()
              + " is executed in a transaction, which ends with the handler.",
          "Add @Idempotent(mode = LEASED) to the handler, let it return its value, or exclude the"
              + " route with once.http.exclude.");
    }
  }

  /** Returns the methods of a mapping that the contract covers; one without methods has all. */
  static Set<String> writes(RequestMappingInfo info, HttpOnce http) {
    Set<String> methods = new TreeSet<>();
    for (RequestMethod method : info.getMethodsCondition().getMethods()) {
      methods.add(method.name());
    }
    if (methods.isEmpty()) {
      return http.contract().coverage().methods();
    }
    methods.removeIf(it -> !http.covers(it));
    return methods;
  }

  private static String where(HandlerMethod handler) {
    return handler.getBeanType().getName() + "." + handler.getMethod().getName();
  }
}
