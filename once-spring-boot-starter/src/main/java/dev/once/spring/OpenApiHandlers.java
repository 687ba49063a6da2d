package dev.once.spring;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.providers.RouterFunctionProvider;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Finds the handlers of the operations in an OpenAPI description. */
record OpenApiHandlers(
    ObjectProvider<RequestMappingHandlerMapping> mappings,
    ObjectProvider<RouterFunctionProvider> functions) {
  /** The regular expression of a path variable, which OpenAPI does not have. */
  private static final Pattern EXPRESSION = Pattern.compile("\\{(\\w+):(?:[^{}]|\\{[^{}]*})*}");

  /** The pattern of a path, and the method that handles it; null if a function does. */
  record Found(@Nullable HandlerMethod handler, String pattern) {}

  /**
   * Returns the handler of an operation; empty for what is neither of a function nor of a
   * controller. Functions come first, as in Spring MVC.
   */
  Optional<Found> find(String path, String method) {
    return Stream.concat(functions(method), methods(method))
        .filter(it -> EXPRESSION.matcher(it.pattern()).replaceAll("{$1}").equals(path))
        .findFirst();
  }

  private Stream<Found> functions(String method) {
    return functions.stream()
        .flatMap(it -> it.getRouterFunctionPaths().stream())
        .flatMap(it -> it.values().stream())
        .flatMap(it -> it.getRouterFunctionDatas().stream())
        .filter(it -> serves(Set.of(it.getMethods()), method))
        .map(it -> new Found(null, it.getPath()));
  }

  private Stream<Found> methods(String method) {
    return mappings.stream()
        .flatMap(it -> it.getHandlerMethods().entrySet().stream())
        .filter(it -> serves(it.getKey().getMethodsCondition().getMethods(), method))
        .flatMap(it -> patterns(it.getKey()).map(pattern -> new Found(it.getValue(), pattern)));
  }

  private static boolean serves(Set<RequestMethod> methods, String method) {
    return methods.isEmpty() || methods.contains(RequestMethod.resolve(method));
  }

  private static Stream<String> patterns(RequestMappingInfo info) {
    return info.getPatternValues().stream();
  }
}
