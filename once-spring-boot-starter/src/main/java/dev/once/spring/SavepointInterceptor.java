package dev.once.spring;

import dev.once.servlet.Transactions;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.function.SingletonSupplier;

/**
 * Lets a method under {@code @Transactional} fail alone in the transaction of a route, as it would
 * without Once: if its caller handles the exception, what the caller has written is kept.
 */
final class SavepointInterceptor implements MethodInterceptor {
  private final Supplier<Transactions> transactions;

  /** Looks up its dependency at the first call: proxies are created while beans are. */
  SavepointInterceptor(ObjectProvider<Transactions> transactions) {
    this.transactions = SingletonSupplier.of(transactions::getObject);
  }

  @Override
  public @Nullable Object invoke(MethodInvocation call) throws Throwable {
    return transactions.get() instanceof SpringTransactions it
        ? it.executeAtSavepoint(call)
        : call.proceed();
  }
}
