package dev.once.spring;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** What {@link Idempotent} says about a method, and whether it can be meant. */
final class MethodSettings {
  private MethodSettings() {}

  static @Nullable Idempotent find(Method method, Class<?> type) {
    Method specific = AopUtils.getMostSpecificMethod(method, type);
    return AnnotatedElementUtils.findMergedAnnotation(specific, Idempotent.class);
  }

  static void check(Idempotent settings, Method method, boolean isHandler) {
    boolean hasKey =
        !settings.key().isEmpty() || !settings.tenant().isEmpty() || !settings.scope().isEmpty();
    String where =
        "@Idempotent on " + method.getDeclaringClass().getName() + "." + method.getName();
    if (isHandler && hasKey) {
      throw new MisconfiguredException(
          where + " has a key, tenant or scope of its own, but it handles requests.",
          "Leave them out: the key comes from the request, the tenant from its principal.");
    }
    boolean isWhole =
        !settings.key().isEmpty() && !settings.tenant().isEmpty() && !settings.scope().isEmpty();
    if (!isHandler && !isWhole) {
      throw new MisconfiguredException(
          where + " must say what names the operation: scope, tenant and key.",
          "Write for example @Idempotent(scope = \"invoice\", tenant = \"#order.tenant\", key ="
              + " \"#order.id\").");
    }
  }
}
