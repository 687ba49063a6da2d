package dev.once.spring;

import dev.once.Once;
import dev.once.StoreException;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.servlet.Transactions;
import java.sql.Connection;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/**
 * Spring's transactions: what a handler does under {@code @Transactional} joins the one that the
 * claim is in.
 */
final class SpringTransactions implements Transactions {
  private final Once once;
  private final @Nullable JdbcRecordStore store;
  private final @Nullable DataSource dataSource;
  private final @Nullable PlatformTransactionManager manager;

  SpringTransactions(
      Once once,
      @Nullable JdbcRecordStore store,
      @Nullable DataSource dataSource,
      @Nullable PlatformTransactionManager manager) {
    this.once = once;
    this.store = store;
    this.dataSource = dataSource;
    this.manager = manager;
  }

  /** Refuses at start what could only fail at the first request. */
  void requireAvailable(String whatFor) {
    if (store == null || dataSource == null || manager == null) {
      throw new MisconfiguredException(
          whatFor
              + " is transactional, but there is no single "
              + missing()
              + " to join transactions with.",
          "Configure spring.datasource.url, or set once.mode=leased (or mode = LEASED on the"
              + " method).");
    }
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T execute(Work<T, X> work) throws X {
    requireAvailable("this operation");
    PlatformTransactionManager transactions = present(manager);
    TransactionStatus status = begin(transactions);
    T value;
    try {
      Connection connection = DataSourceUtils.getConnection(present(dataSource));
      value = work.execute(once.joining(present(store).within(connection)));
    } catch (Throwable failure) {
      rollback(transactions, status, failure);
      throw failure;
    }
    if (status.isNewTransaction() && status.isRollbackOnly()) {
      transactions.rollback(status);
      throw new RolledBackException();
    }
    try {
      transactions.commit(status);
    } catch (RuntimeException e) {
      throw new CommitFailedException(e);
    }
    return value;
  }

  private static TransactionStatus begin(PlatformTransactionManager manager) {
    try {
      return manager.getTransaction(new DefaultTransactionDefinition());
    } catch (RuntimeException e) {
      throw new StoreException("no transaction could be opened: " + e.getMessage(), e);
    }
  }

  private static void rollback(
      PlatformTransactionManager manager, TransactionStatus status, Throwable failure) {
    try {
      manager.rollback(status);
    } catch (RuntimeException e) { // A dead connection has nothing left to roll back.
      failure.addSuppressed(e);
    }
  }

  private String missing() {
    if (dataSource == null) {
      return "DataSource";
    }
    return manager == null ? "PlatformTransactionManager" : "JdbcRecordStore";
  }

  private static <T> T present(@Nullable T it) {
    if (it == null) {
      throw new AssertionError("checked before");
    }
    return it;
  }
}
