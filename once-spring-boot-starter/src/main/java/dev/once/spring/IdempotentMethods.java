package dev.once.spring;

import java.lang.reflect.Method;
import java.util.Map;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Controller;

/** Methods that are {@link Idempotent}, but for handlers of requests: those the filter guards. */
final class IdempotentMethods extends StaticMethodMatcherPointcut {
  IdempotentMethods() {
    setClassFilter(IdempotentMethods::hasAny);
  }

  @Override
  public boolean matches(Method method, Class<?> type) {
    return MethodSettings.find(method, type) != null;
  }

  /** Looks at all methods of a class, so that none that cannot be meant hides behind another. */
  private static boolean hasAny(Class<?> type) {
    Map<Method, Idempotent> methods =
        MethodIntrospector.selectMethods(
            type,
            (MethodIntrospector.MetadataLookup<Idempotent>) it -> MethodSettings.find(it, type));
    boolean isController = AnnotatedElementUtils.hasAnnotation(type, Controller.class);
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
