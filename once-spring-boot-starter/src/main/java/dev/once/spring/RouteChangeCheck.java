package dev.once.spring;

import dev.once.http.HttpOnce;
import dev.once.servlet.RouteResolver;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.http.server.PathContainer;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.function.support.RouterFunctionMapping;
import org.springframework.web.servlet.handler.AbstractUrlHandlerMapping;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/**
 * Refuses, at start, an entry under {@code once.http.routes} that no route matches: it would change
 * nothing. A warning is enough where other routes may exist: in a test of a part of the
 * application, and beside functional routes, which cannot be listed.
 */
final class RouteChangeCheck implements SmartInitializingSingleton {
  private static final Logger LOG = LoggerFactory.getLogger(RouteChangeCheck.class);
  private static final String ACTION =
      "Write its path as in the mapping of the handler, such as /orders/{id}, without the context"
          + " path, and methods that the handler has; or remove the entry.";

  private final HttpOnce http;
  private final RouteResolver routes;
  private final ApplicationContext context;

  RouteChangeCheck(HttpOnce http, RouteResolver routes, ApplicationContext context) {
    this.http = http;
    this.routes = routes;
    this.context = context;
  }

  @Override
  public void afterSingletonsInstantiated() {
    if (!(routes instanceof MvcRoutes mvc) || mvc.changes().isEmpty()) {
      return;
    }
    List<Optional<List<Listed>>> mappings = mvc.mappings().stream().map(this::listed).toList();
    boolean isComplete =
        context instanceof WebServerApplicationContext
            && mappings.stream().allMatch(Optional::isPresent);
    List<Listed> all =
        mappings.stream().flatMap(Optional::stream).flatMap(Collection::stream).toList();
    for (int i = 0; i < mvc.changes().size(); i++) {
      MvcRoutes.Change change = mvc.changes().get(i);
      if (all.stream().noneMatch(it -> it.isChangedBy(change))) {
        refuse("once.http.routes[" + i + "]", change, isComplete);
      }
    }
  }

  private static void refuse(String setting, MvcRoutes.Change change, boolean isComplete) {
    String path = change.pattern().getPatternString();
    if (isComplete) {
      throw new MisconfiguredException(
          "%s changes nothing: no handler of a write has a mapping that %s %s matches."
              .formatted(setting, path, change.settings().methods()),
          ACTION);
    }
    LogLine.of(LOG, Level.WARN, "once.route_unmatched")
        .with("setting", setting)
        .with("path", path)
        .with("action", ACTION)
        .write();
  }

  /** Returns the routes of a mapping; empty if it cannot list them. */
  private Optional<List<Listed>> listed(HandlerMapping mapping) {
    if (mapping instanceof RequestMappingInfoHandlerMapping it) {
      return Optional.of(it.getHandlerMethods().keySet().stream().flatMap(this::listed).toList());
    }
    if (mapping instanceof AbstractUrlHandlerMapping it) {
      Set<String> methods = http.contract().coverage().methods();
      return Optional.of(
          it.getHandlerMap().keySet().stream().map(path -> new Listed(path, methods)).toList());
    }
    boolean isUnused =
        mapping instanceof RouterFunctionMapping it && it.getRouterFunction() == null;
    return isUnused ? Optional.of(List.of()) : Optional.empty();
  }

  private Stream<Listed> listed(RequestMappingInfo info) {
    Set<String> methods = RouteCheck.writes(info, http);
    return info.getPatternValues().stream().map(template -> new Listed(template, methods));
  }

  /** A template, and the methods under it that the contract covers. */
  private record Listed(String template, Set<String> methods) {
    boolean isChangedBy(MvcRoutes.Change change) {
      PathContainer path = PathContainer.parsePath(template);
      return methods.stream().anyMatch(method -> change.matches(path, method));
    }
  }
}
