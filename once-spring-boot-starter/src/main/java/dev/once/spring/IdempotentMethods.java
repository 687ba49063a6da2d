package dev.once.spring;

import java.lang.reflect.Method;
import java.util.Map;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Controller;

/**
 * Matches methods that are {@link Idempotent}, except request handlers: the filter guards those.
 */
final class IdempotentMethods extends StaticMethodMatcherPointcut {
  IdempotentMethods() {
    setClassFilter(IdempotentMethods::hasAny);
  }

  @Override
  public boolean matches(Method method, Class<?> type) {
    return MethodSettings.find(method, type) != null;
  }

  /** Checks all annotated methods of a class, so that each invalid annotation is refused. */
  private static boolean hasAny(Class<?> type) {
    Map<Method, Idempotent> methods =
        MethodIntrospector.selectMethods(
            type,
            (MethodIntrospector.MetadataLookup<Idempotent>) it -> MethodSettings.find(it, type));
    boolean isController = AnnotatedElementUtils.hasAnnotation(type, Controller.class);
    Idempotent ofType = AnnotatedElementUtils.findMergedAnnotation(type, Idempotent.class);
    if (ofType != null) {
      MethodSettings.checkType(ofType, type, isController);
    }
    methods.forEach(
        (method, settings) -> {
          if (isController) {
            MethodSettings.checkHandler(settings, method);
          } else {
            MethodSettings.checkMethod(settings, method);
          }
        });
    return !isController && !methods.isEmpty();
  }
}
