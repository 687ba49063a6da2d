package dev.once.gateway;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * The signal SIGHUP, on which servers read their settings again; without a handler it would end the
 * JVM. The JDK has signals in a class that it supports, but whose use the compiler always warns of.
 */
final class Hangup {
  private Hangup() {}

  /** Calls {@code action} on each SIGHUP, where the operating system has it. */
  static void handle(Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object ours =
          Proxy.newProxyInstance(
              Hangup.class.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) -> call(action, method));
      Object hangup = signal.getConstructor(String.class).newInstance("HUP");
      signal.getMethod("handle", signal, handler).invoke(null, hangup, ours);
    } catch (ReflectiveOperationException e) {
      // There is no such signal here; the file is watched too.
    }
  }

  /** The JDK calls nothing but {@code handle}; other methods are those of any object. */
  private static @Nullable Object call(Runnable action, Method method) {
    return switch (method.getName()) {
      case "handle" -> {
        action.run();
        yield null;
      }
      case "equals" -> false;
      case "hashCode" -> action.hashCode();
      default -> Hangup.class.getName();
    };
  }
}
