package dev.once.servlet;

import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Replaces a response that was returned to the container, which may already use it for another
 * request. What a handler that is still running writes here is discarded.
 */
final class DetachedResponse {
  private DetachedResponse() {}

  static HttpServletResponse make() {
    return (HttpServletResponse)
        Proxy.newProxyInstance(
            DetachedResponse.class.getClassLoader(),
            new Class<?>[] {HttpServletResponse.class},
            (proxy, method, arguments) -> answer(method));
  }

  private static @Nullable Object answer(Method method) {
    Class<?> type = method.getReturnType();
    if (method.getName().equals("getCharacterEncoding")) {
      return "UTF-8";
    }
    if (type == boolean.class) {
      return false;
    }
    if (type == int.class) {
      return 0;
    }
    return Collection.class.isAssignableFrom(type) ? List.of() : null;
  }
}
