package dev.once.spring;

import dev.once.servlet.Transactions;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.function.SingletonSupplier;

/**
 * Lets a method under {@code @Transactional} behave in the transaction of a route as it would
 * without Once. It fails alone: if its caller handles the exception, what the caller has written is
 * kept. When it returns, its writes are in the database, and their versions in the entities.
 */
final class SavepointInterceptor implements MethodInterceptor {
  private final TransactionalMethods methods = new TransactionalMethods();
  private final Supplier<Transactions> transactions;

  /** Looks up its dependency at the first call: proxies are created while beans are. */
  SavepointInterceptor(ObjectProvider<Transactions> transactions) {
    this.transactions = SingletonSupplier.of(transactions::getObject);
  }

  @Override
  public @Nullable Object invoke(MethodInvocation call) throws Throwable {
    Object target = call.getThis();
    Method method = call.getMethod();
    Class<?> type = target == null ? method.getDeclaringClass() : AopUtils.getTargetClass(target);
    return methods.matches(method, type) && transactions.get() instanceof SpringTransactions it
        ? it.executeAsOutermost(call, methods.isReadOnly(method, type))
        : call.proceed();
  }
}
