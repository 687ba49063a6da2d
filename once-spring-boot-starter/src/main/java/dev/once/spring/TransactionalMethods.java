package dev.once.spring;

import java.lang.reflect.Method;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;

/** Matches methods under {@code @Transactional} that join a transaction if there is one. */
final class TransactionalMethods extends StaticMethodMatcherPointcut {
  private final TransactionAttributeSource attributes =
      new AnnotationTransactionAttributeSource(false); // Methods that are not public, too.

  TransactionalMethods() {
    setClassFilter(attributes::isCandidateClass);
  }

  @Override
  public boolean matches(Method method, Class<?> type) {
    TransactionAttribute attribute = attributes.getTransactionAttribute(method, type);
    return attribute != null
        && (attribute.getPropagationBehavior() == TransactionDefinition.PROPAGATION_REQUIRED
            || attribute.getPropagationBehavior() == TransactionDefinition.PROPAGATION_MANDATORY);
  }

  /** Returns whether a method that matches writes nothing. */
  boolean isReadOnly(Method method, Class<?> type) {
    TransactionAttribute attribute = attributes.getTransactionAttribute(method, type);
    return attribute != null && attribute.isReadOnly();
  }
}
