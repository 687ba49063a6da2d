package dev.once.testkit;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of threads from which applications call a store. Virtual threads are created by
 * reflection: the baseline is Java 17, which has none.
 */
@SuppressWarnings("ImmutableEnumChecker") // A thread factory has no state.
enum ThreadKind {
  PLATFORM(Executors.defaultThreadFactory()),
  VIRTUAL(virtualThreads());

  private final @Nullable ThreadFactory factory;

  ThreadKind(@Nullable ThreadFactory factory) {
    this.factory = factory;
  }

  /** The kind that a busy application uses on this JVM. */
  static ThreadKind lightest() {
    return VIRTUAL.isAvailable() ? VIRTUAL : PLATFORM;
  }

  boolean isAvailable() {
    return factory != null;
  }

  ThreadFactory factory() {
    if (factory == null) {
      throw new IllegalStateException("this JVM has no virtual threads");
    }
    return factory;
  }

  private static @Nullable ThreadFactory virtualThreads() {
    try {
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      Class<?> type = Class.forName("java.lang.Thread$Builder");
      return (ThreadFactory) type.getMethod("factory").invoke(builder);
    } catch (NoSuchMethodException
        | ClassNotFoundException
        | IllegalAccessException
        | InvocationTargetException e) {
      return null; // Absent, or a preview that is not enabled.
    }
  }
}
