package dev.once.spring;

import dev.once.http.Contract;
import dev.once.http.Route;
import dev.once.servlet.RouteResolver;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;
import org.springframework.web.ErrorResponse;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.support.WebContentGenerator;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Finds the handler of a request before Spring MVC does, for its pattern and its settings. A
 * request without a handler has no route: Spring MVC will refuse it.
 */
final class MvcRoutes implements RouteResolver {
  /** The pattern of a functional route that has none. */
  private static final String ANY_PATH = "/**";

  private final List<HandlerMapping> mappings;
  private final RouteSettings settings;
  private final List<PathPattern> include;
  private final List<PathPattern> exclude;
  private final List<Change> changes;

  /** Cached: merging the annotations of a handler takes half as long as finding the handler. */
  private final Map<RouteKey, Route> routes = new ConcurrentHashMap<>();

  /**
   * Routes by the application's own mappings.
   *
   * @param mappings in the order in which Spring MVC consults them
   */
  MvcRoutes(List<HandlerMapping> mappings, Contract contract, OnceProperties properties) {
    this.mappings = mappings;
    this.settings = new RouteSettings(contract, properties.routeMode(contract));
    this.include = patterns(properties.http().include());
    this.exclude = patterns(properties.http().exclude());
    this.changes = changes(properties.http().routes());
  }

  @Override
  public Optional<Route> route(HttpServletRequest request) {
    RequestPath path = ServletRequestPathUtils.parseAndCache(request);
    return isIncluded(path.pathWithinApplication())
        ? Optional.ofNullable(handler(request)).flatMap(it -> route(it, request))
        : Optional.empty();
  }

  /** Returns the route of a request that Spring MVC is about to dispatch to {@code handler}. */
  Optional<Route> dispatched(Object handler, HttpServletRequest request) {
    RequestPath path = ServletRequestPathUtils.getParsedRequestPath(request);
    return isIncluded(path.pathWithinApplication()) ? route(handler, request) : Optional.empty();
  }

  List<HandlerMapping> mappings() {
    return mappings;
  }

  /** Returns the changes of routes by the settings, in their order. */
  List<Change> changes() {
    return changes;
  }

  /**
   * Returns the route of a handler method under one of its patterns; null stands for a function.
   */
  Optional<Route> route(@Nullable HandlerMethod handler, String template, String method) {
    return isIncluded(PathContainer.parsePath(template))
        ? Optional.of(route(RouteKey.of(handler, template, method)))
        : Optional.empty();
  }

  private boolean isIncluded(PathContainer path) {
    return include.stream().anyMatch(it -> it.matches(path))
        && exclude.stream().noneMatch(it -> it.matches(path));
  }

  /**
   * Returns the handler, or null if Spring MVC will refuse the request: it has none for this path,
   * method or media type.
   */
  private @Nullable Object handler(HttpServletRequest request) {
    try {
      for (HandlerMapping mapping : mappings) {
        HandlerExecutionChain chain = mapping.getHandler(request);
        if (chain != null) {
          return chain.getHandler();
        }
      }
      return null;
    } catch (ServletException e) {
      return null;
    } catch (Exception e) {
      if (e instanceof ErrorResponse) {
        return null;
      }
      throw new IllegalStateException("the route of a request could not be found", e);
    }
  }

  private Optional<Route> route(Object handler, HttpServletRequest request) {
    if (isOfSpring(handler) || refuses(handler, request.getMethod())) {
      return Optional.empty();
    }
    Object pattern = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
    String template = pattern == null ? ANY_PATH : pattern.toString();
    return Optional.of(route(RouteKey.of(handler, template, request.getMethod())));
  }

  /**
   * Returns whether a handler is one of Spring Boot's own endpoints, whose clients have no keys.
   */
  private static boolean isOfSpring(Object handler) {
    Class<?> type = handler instanceof HandlerMethod it ? it.getBeanType() : handler.getClass();
    return type.getName().startsWith("org.springframework.boot.");
  }

  /** Returns whether a handler will refuse the method, as one of static resources does. */
  private static boolean refuses(Object handler, String method) {
    if (!(handler instanceof WebContentGenerator it)) {
      return false;
    }
    String[] supported = it.getSupportedMethods();
    return supported != null && !Arrays.asList(supported).contains(method);
  }

  private Route route(RouteKey key) {
    return routes.computeIfAbsent(key, this::newRoute);
  }

  private Route newRoute(RouteKey key) {
    Route route = settings.route(key.template, key.annotations());
    PathContainer path = PathContainer.parsePath(key.template);
    for (Change change : changes) {
      if (change.matches(path, key.method)) {
        return settings.changed(route, change.settings);
      }
    }
    return route;
  }

  /** Checks each change with the contract's route, so that an error names its setting. */
  private List<Change> changes(List<OnceProperties.RouteChange> routes) {
    List<Change> checked = new ArrayList<>();
    for (int i = 0; i < routes.size(); i++) {
      try {
        settings.changed(settings.route(ANY_PATH), routes.get(i));
        checked.add(Change.of(routes.get(i)));
      } catch (IllegalArgumentException e) {
        throw new MisconfiguredException(
            "once.http.routes[" + i + "] cannot be used: " + e.getMessage() + ".",
            "Change this setting.");
      }
    }
    return List.copyOf(checked);
  }

  private static List<PathPattern> patterns(List<String> patterns) {
    return patterns.stream().map(PathPatternParser.defaultInstance::parse).toList();
  }

  /** What a route is built from; there is no method and class if the handler is no controller. */
  private record RouteKey(
      @Nullable Method handler, @Nullable Class<?> controller, String template, String method) {
    static RouteKey of(@Nullable Object handler, String template, String method) {
      return handler instanceof HandlerMethod it
          ? new RouteKey(it.getMethod(), it.getBeanType(), template, method)
          : new RouteKey(null, null, template, method);
    }

    /** Returns the annotations of the class and of the method, which counts more. */
    List<Idempotent> annotations() {
      return Stream.<@Nullable AnnotatedElement>of(controller, handler)
          .filter(Objects::nonNull)
          .map(it -> AnnotatedElementUtils.findMergedAnnotation(it, Idempotent.class))
          .filter(Objects::nonNull)
          .toList();
    }
  }

  /** A change of routes by the settings; its pattern is compared with their templates. */
  record Change(PathPattern pattern, OnceProperties.RouteChange settings) {
    static Change of(OnceProperties.RouteChange settings) {
      return new Change(PathPatternParser.defaultInstance.parse(settings.path()), settings);
    }

    boolean matches(PathContainer template, String method) {
      return pattern.matches(template)
          && (settings.methods().isEmpty() || settings.methods().contains(method));
    }
  }
}
