package dev.once.spring;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityTransaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * A session whose mark for rollback can be taken back. JPA has no way to do that, and a manager
 * marks the transaction whenever a service fails in it. So the mark is kept here, in front of the
 * session. A mark that Hibernate sets itself, because one of its own statements failed, stays: its
 * session no longer agrees with the database then.
 */
final class RevocableSession {
  private final EntityManager target;
  private boolean isMarked;

  RevocableSession(EntityManager target) {
    this.target = target;
  }

  EntityManager target() {
    return target;
  }

  /** Returns the session for those that use it, with all interfaces that it has. */
  EntityManager proxy() {
    return (EntityManager) proxy(target, this::invoke);
  }

  /** Returns whether all that stands against a commit is a mark that can be taken back. */
  boolean isRevocable() {
    EntityTransaction transaction = target.getTransaction();
    return transaction.isActive() && !transaction.getRollbackOnly();
  }

  /** Takes the mark back. */
  void revoke() {
    isMarked = false;
  }

  /** Forgets all that may have been undone in the database, as after a transaction's rollback. */
  void clear() {
    target.clear();
  }

  private @Nullable Object invoke(Method method, Object @Nullable [] arguments) throws Throwable {
    return method.getName().equals("getTransaction") && method.getParameterCount() == 0
        ? proxy(target.getTransaction(), this::invokeTransaction)
        : call(target, method, arguments);
  }

  private @Nullable Object invokeTransaction(Method method, Object @Nullable [] arguments)
      throws Throwable {
    EntityTransaction transaction = target.getTransaction();
    switch (method.getName()) {
      case "setRollbackOnly", "markRollbackOnly" -> {
        isMarked = true;
        return null;
      }
      case "getRollbackOnly" -> {
        return isMarked || transaction.getRollbackOnly();
      }
      case "commit" -> {
        if (isMarked) {
          transaction.setRollbackOnly(); // It refuses the commit then, as JPA says.
        }
      }
      default -> {}
    }
    return call(transaction, method, arguments);
  }

  private interface Invocation {
    @Nullable Object invoke(Method method, Object @Nullable [] arguments) throws Throwable;
  }

  private static Object proxy(Object target, Invocation invocation) {
    return Proxy.newProxyInstance(
        target.getClass().getClassLoader(),
        ClassUtils.getAllInterfaces(target),
        (proxy, method, arguments) -> invocation.invoke(method, arguments));
  }

  private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }
}
