package dev.once.spring;

import dev.once.http.Contract;
import dev.once.http.Route;
import dev.once.servlet.RouteResolver;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Finds the handler of a request before Spring MVC does, for its pattern and its annotation. A
 * request without a handler has no route: Spring MVC will refuse it.
 */
final class MvcRoutes implements RouteResolver {
  /** The pattern of a functional route that has none. */
  private static final String ANY_PATH = "/**";

  private final List<HandlerMapping> mappings;
  private final Route.Mode defaultMode;
  private final List<PathPattern> include;
  private final List<PathPattern> exclude;

  /** Cached by handler: merging its annotations takes half as long as finding the handler. */
  private final Map<Method, Settings> settings = new ConcurrentHashMap<>();

  /**
   * Routes by the application's own mappings.
   *
   * @param mappings in the order in which Spring MVC consults them
   */
  MvcRoutes(List<HandlerMapping> mappings, Contract contract, OnceProperties properties) {
    this.mappings = mappings;
    this.defaultMode = properties.routeMode(contract);
    this.include = patterns(properties.http().include());
    this.exclude = patterns(properties.http().exclude());
  }

  @Override
  public Optional<Route> route(HttpServletRequest request) {
    RequestPath path = ServletRequestPathUtils.parseAndCache(request);
    return isIncluded(path.pathWithinApplication())
        ? Optional.ofNullable(handler(request)).map(it -> route(it, request))
        : Optional.empty();
  }

  private boolean isIncluded(PathContainer path) {
    return include.stream().anyMatch(it -> it.matches(path))
        && exclude.stream().noneMatch(it -> it.matches(path));
  }

  private @Nullable Object handler(HttpServletRequest request) {
    try {
      for (HandlerMapping mapping : mappings) {
        HandlerExecutionChain chain = mapping.getHandler(request);
        if (chain != null) {
          return chain.getHandler();
        }
      }
      return null;
    } catch (Exception e) { // A method or media type that the route does not have.
      return null;
    }
  }

  private Route route(Object handler, HttpServletRequest request) {
    Object pattern = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
    String template = pattern == null ? ANY_PATH : pattern.toString();
    return handler instanceof HandlerMethod it
        ? settings.computeIfAbsent(it.getMethod(), this::settings).route(template)
        : Route.of(template, defaultMode);
  }

  private Settings settings(Method method) {
    Idempotent annotation = AnnotatedElementUtils.findMergedAnnotation(method, Idempotent.class);
    return annotation == null
        ? new Settings(false, Optional.empty(), defaultMode)
        : new Settings(true, keyRequired(annotation), mode(annotation, defaultMode));
  }

  static Route.Mode mode(Idempotent settings, Route.Mode otherwise) {
    return switch (settings.mode()) {
      case DEFAULT -> otherwise;
      case LEASED -> Route.Mode.LEASED;
      case TRANSACTIONAL -> Route.Mode.TRANSACTIONAL;
    };
  }

  private static Optional<Boolean> keyRequired(Idempotent settings) {
    return switch (settings.keyIs()) {
      case AS_THE_CONTRACT_SAYS -> Optional.empty();
      case REQUIRED -> Optional.of(true);
      case OPTIONAL -> Optional.of(false);
    };
  }

  private static List<PathPattern> patterns(List<String> patterns) {
    return patterns.stream().map(PathPatternParser.defaultInstance::parse).toList();
  }

  /** The settings of all routes of a handler, from its annotation or the defaults. */
  private record Settings(boolean chosen, Optional<Boolean> keyRequired, Route.Mode mode) {
    Route route(String template) {
      Route route = Route.of(template, mode).withChosen(chosen);
      return keyRequired.map(route::withKeyRequired).orElse(route);
    }
  }
}
