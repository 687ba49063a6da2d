package dev.once.spring;

import dev.once.StoreException;
import dev.once.servlet.Transactions.CommitFailedException;
import dev.once.servlet.Transactions.RolledBackException;
import java.sql.Connection;
import java.util.Objects;
import javax.sql.DataSource;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A manager's transactions on the database that has our tables. What goes wrong at either end of
 * one is told by what holds then.
 */
record ManagedTransactions(PlatformTransactionManager manager, DataSource dataSource) {
  /**
   * Begins one.
   *
   * @param propagation one of the constants of {@code TransactionDefinition}
   * @throws StoreException if there is none to be had
   */
  TransactionStatus begin(int propagation) {
    try {
      return manager.getTransaction(new DefaultTransactionDefinition(propagation));
    } catch (RuntimeException e) {
      throw new StoreException("no transaction could be opened: " + e.getMessage(), e);
    }
  }

  /** The connection of the transaction that this thread is in. */
  Connection connection() {
    if (!hasConnection()) {
      throw new IllegalStateException(
          "the transactions of "
              + manager.getClass().getSimpleName()
              + " are not on the DataSource that has the tables of Once: mark the manager of that"
              + " DataSource as @Primary, or use the mode leased, which joins no transaction");
    }
    return DataSourceUtils.getConnection(dataSource);
  }

  /**
   * Whether the transaction that this thread is in is one of our database. A connection of another
   * would be in no transaction of Spring's: what the handler wrote would be committed, and that it
   * did so would be forgotten with the connection.
   */
  boolean hasConnection() {
    DataSource own =
        dataSource instanceof TransactionAwareDataSourceProxy it
            ? Objects.requireNonNullElse(it.getTargetDataSource(), dataSource)
            : dataSource;
    // Any other manager, such as JTA's, has several databases take part when they are asked.
    return !(manager instanceof ResourceTransactionManager)
        || TransactionSynchronizationManager.hasResource(own);
  }

  /**
   * Commits.
   *
   * @throws RolledBackException if something had marked the transaction to be rolled back, and it
   *     was
   * @throws CommitFailedException if nobody knows whether the commit succeeded
   */
  void commit(TransactionStatus status) {
    if (status.isNewTransaction() && status.isRollbackOnly()) {
      manager.rollback(status);
      throw new RolledBackException();
    }
    try {
      manager.commit(status);
    } catch (UnexpectedRollbackException e) {
      throw new RolledBackException();
    } catch (DataIntegrityViolationException | ConcurrencyFailureException e) {
      throw e; // The database refused, as it would have refused a statement.
    } catch (RuntimeException e) {
      throw new CommitFailedException(e);
    }
  }

  void rollback(TransactionStatus status, Throwable failure) {
    try {
      manager.rollback(status);
    } catch (RuntimeException e) { // A dead connection has nothing left to roll back.
      failure.addSuppressed(e);
    }
  }
}
