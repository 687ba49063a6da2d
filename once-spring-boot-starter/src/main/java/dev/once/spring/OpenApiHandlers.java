package dev.once.spring;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Finds the handlers of the operations in an OpenAPI description. */
record OpenApiHandlers(ObjectProvider<RequestMappingHandlerMapping> mappings) {
  /** The regular expression of a path variable, which OpenAPI does not have. */
  private static final Pattern EXPRESSION = Pattern.compile("\\{(\\w+):(?:[^{}]|\\{[^{}]*})*}");

  /** A handler, and the pattern of its path. */
  record Found(HandlerMethod handler, String pattern) {}

  /** Returns the handler of an operation; empty for what is not of a controller. */
  Optional<Found> find(String path, String method) {
    return mappings.stream()
        .flatMap(it -> it.getHandlerMethods().entrySet().stream())
        .filter(it -> serves(it.getKey(), method))
        .flatMap(it -> patterns(it.getKey()).map(pattern -> new Found(it.getValue(), pattern)))
        .filter(it -> EXPRESSION.matcher(it.pattern()).replaceAll("{$1}").equals(path))
        .findFirst();
  }

  private static boolean serves(RequestMappingInfo info, String method) {
    Set<RequestMethod> methods = info.getMethodsCondition().getMethods();
    return methods.isEmpty() || methods.contains(RequestMethod.resolve(method));
  }

  private static Stream<String> patterns(RequestMappingInfo info) {
    return info.getPatternValues().stream();
  }
}
