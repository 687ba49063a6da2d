package dev.once.spring;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ReflectionUtils;

/**
 * A method of a singleton bean that Once calls, on threads of its own.
 *
 * @param bean the bean to call, which may be a proxy
 * @param method the method, as the class of {@code bean} has it
 */
record BeanMethod(Object bean, Method method) {
  private static final int NEVER_CALLED_BY_PROXY =
      Modifier.PRIVATE | Modifier.FINAL | Modifier.STATIC;

  /**
   * Returns the method to call.
   *
   * @param where names annotation and method in messages
   * @throws MisconfiguredException if it cannot be called, or its end would not be noticed
   */
  static BeanMethod of(
      ConfigurableListableBeanFactory beans,
      String name,
      Class<?> type,
      Method method,
      String where) {
    if ((method.getModifiers() & NEVER_CALLED_BY_PROXY) != 0 || !beans.isSingleton(name)) {
      throw new MisconfiguredException(
          where + " is never called: Spring cannot call it on a singleton bean.",
          "Make the method neither private nor final nor static, and its bean a singleton.");
    }
    if (isAsync(method) || isAsync(type)) {
      throw new MisconfiguredException(
          where + " is @Async, so it returns before its work is done.",
          "Leave out @Async: Once calls the method on threads of its own.");
    }
    if (method.getReturnType() != void.class) {
      throw new MisconfiguredException(
          where + " returns a value, but nothing receives it.",
          "Let the method return nothing, and only when its work is done.");
    }
    Object bean = beans.getBean(name);
    return new BeanMethod(bean, invocable(method, bean, where));
  }

  /** Calls the method, and rethrows what it throws unchanged. */
  void call(@Nullable Object[] arguments) throws Exception {
    try {
      method.invoke(bean, arguments);
    } catch (InvocationTargetException e) {
      ReflectionUtils.rethrowException(e.getTargetException());
    }
  }

  private static boolean isAsync(AnnotatedElement element) {
    return AnnotatedElementUtils.hasAnnotation(element, Async.class);
  }

  private static Method invocable(Method method, Object bean, String where) {
    try {
      Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
      ReflectionUtils.makeAccessible(invocable);
      return invocable;
    } catch (IllegalStateException e) {
      throw new MisconfiguredException(
          where + " cannot be called through the proxy of its bean.",
          "Add the method to the interface that the bean is known by, or proxy its class.");
    }
  }
}
