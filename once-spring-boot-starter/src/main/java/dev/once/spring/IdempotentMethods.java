package dev.once.spring;

import java.lang.reflect.Method;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Controller;

/** Methods that are {@link Idempotent}, but for handlers of requests: those the filter guards. */
final class IdempotentMethods extends StaticMethodMatcherPointcut {
  @Override
  public boolean matches(Method method, Class<?> type) {
    Idempotent settings = MethodSettings.find(method, type);
    if (settings == null) {
      return false;
    }
    boolean isHandler = AnnotatedElementUtils.hasAnnotation(type, Controller.class);
    MethodSettings.check(settings, method, isHandler);
    return !isHandler;
  }
}
