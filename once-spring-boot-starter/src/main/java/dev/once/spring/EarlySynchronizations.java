package dev.once.spring;

import org.springframework.transaction.support.TransactionSynchronization;

/** The synchronizations of a transaction that may do something before its commit. */
final class EarlySynchronizations {
  private static final ClassValue<Boolean> EARLY =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return overrides(type, "beforeCommit", boolean.class)
              || overrides(type, "beforeCompletion");
        }
      };

  private EarlySynchronizations() {}

  static boolean contain(TransactionSynchronization synchronization) {
    return EARLY.get(synchronization.getClass());
  }

  private static boolean overrides(Class<?> type, String method, Class<?>... parameters) {
    try {
      return type.getMethod(method, parameters).getDeclaringClass()
          != TransactionSynchronization.class;
    } catch (NoSuchMethodException e) {
      throw new LinkageError("every synchronization has the method " + method, e);
    }
  }
}
