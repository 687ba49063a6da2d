package dev.once.spring;

import dev.once.Terms;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Finds {@link Idempotent} on a method, and refuses invalid settings. */
final class MethodSettings {
  private static final int NEVER_CALLED_BY_PROXY =
      Modifier.PRIVATE | Modifier.FINAL | Modifier.STATIC;

  private MethodSettings() {}

  static @Nullable Idempotent find(Method method, Class<?> type) {
    Method specific = AopUtils.getMostSpecificMethod(method, type);
    return AnnotatedElementUtils.findMergedAnnotation(specific, Idempotent.class);
  }

  /** Refuses settings on a class that is no controller, or that are for methods of other beans. */
  static void checkType(Idempotent settings, Class<?> type, boolean isController) {
    String where = "@Idempotent on " + type.getName();
    if (!isController) {
      throw new MisconfiguredException(
          where + " guards nothing: it is no controller.",
          "Add the annotation to the methods, with scope, tenant and key.");
    }
    checkHandler(settings, where);
  }

  /** Refuses settings on a request handler that are for methods of other beans. */
  static void checkHandler(Idempotent settings, Method method) {
    checkHandler(settings, where(method));
  }

  private static void checkHandler(Idempotent settings, String where) {
    if (!settings.key().isEmpty() || !settings.tenant().isEmpty() || !settings.scope().isEmpty()) {
      throw new MisconfiguredException(
          where + " has a key, tenant or scope of its own, but it handles requests.",
          "Leave them out: the key comes from the request, the tenant from its principal.");
    }
  }

  /** Refuses settings of a method that would leave it unguarded, or fail only when it is called. */
  static void checkMethod(Idempotent settings, Method method) {
    if (settings.key().isEmpty() || settings.tenant().isEmpty() || settings.scope().isEmpty()) {
      throw new MisconfiguredException(
          where(method) + " must say what names the operation: scope, tenant and key.",
          "Write for example @Idempotent(scope = \"invoice\", tenant = \"#order.tenant\", key ="
              + " \"#order.id\").");
    }
    if (settings.scopeRule().length > 0 || settings.comparedHeaders().length > 0) {
      throw new MisconfiguredException(
          where(method) + " has a scopeRule or comparedHeaders, but it handles no requests.",
          "Leave them out: scope and key name the operation, and all arguments are compared.");
    }
    checkTerms(settings, method);
    checkExpression(settings.tenant(), method);
    checkExpression(settings.key(), method);
    if ((method.getModifiers() & NEVER_CALLED_BY_PROXY) != 0) {
      throw new MisconfiguredException(
          where(method) + " guards nothing: calls of it do not go through Spring.",
          "Make the method neither private nor final nor static, and call it from another bean.");
    }
    if (AsyncTypes.isPending(method.getReturnType())) {
      throw new MisconfiguredException(
          where(method) + " returns before it has ended, so there is no outcome to keep.",
          "Let the method return its value, and have its caller run it in the background.");
    }
  }

  private static void checkTerms(Idempotent settings, Method method) {
    try {
      RouteSettings.terms(Terms.DEFAULT, settings);
    } catch (IllegalArgumentException e) {
      throw new MisconfiguredException(
          where(method) + ": " + e.getMessage() + ".", "Write a time such as 30s or 24h.");
    }
  }

  private static void checkExpression(String expression, Method method) {
    try {
      new SpelExpressionParser().parseExpression(expression);
    } catch (ParseException e) {
      throw new MisconfiguredException(
          where(method) + " has an expression that cannot be read: " + e.getMessage() + ".",
          "Write an expression such as #order.id, or a text in quotes such as 'acme'.");
    }
  }

  private static String where(Method method) {
    return "@Idempotent on " + method.getDeclaringClass().getName() + "." + method.getName();
  }
}
