package dev.once.spring.test;

import dev.once.Once;
import dev.once.servlet.Transactions;
import org.jspecify.annotations.Nullable;

/**
 * Executes transactional routes without a transaction: a record in memory cannot be committed
 * together with other writes, and in a slice these are of mocks.
 */
record InMemoryTransactions(Once once) implements Transactions {
  @Override
  public <T extends @Nullable Object, X extends Exception> T execute(Callback<T, X> work) throws X {
    return work.execute(once);
  }
}
