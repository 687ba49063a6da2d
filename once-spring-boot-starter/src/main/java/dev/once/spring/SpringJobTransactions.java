package dev.once.spring;

import dev.once.StoreException;
import dev.once.jobs.JobTransactions;
import dev.once.servlet.Transactions.CommitFailedException;
import dev.once.servlet.Transactions.RolledBackException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Spring's transactions for jobs: one is enqueued in the transaction of whoever enqueues it, and
 * what a handler does under {@code @Transactional} joins the one that completes its job.
 */
record SpringJobTransactions(ManagedTransactions transactions) implements JobTransactions {
  @Override
  public <T extends @Nullable Object, X extends Exception> T execute(Work<T, X> work)
      throws X, SQLException {
    TransactionStatus status = transactions.begin(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    T value;
    try {
      value = work.execute(transactions.connection());
    } catch (Throwable failure) {
      transactions.rollback(status, failure);
      throw failure;
    }
    commit(status);
    return value;
  }

  /** A transaction of another database is refused: the job would be there without its reason. */
  @Override
  public Optional<Connection> current() {
    return TransactionSynchronizationManager.isActualTransactionActive()
        ? Optional.of(transactions.connection())
        : Optional.empty();
  }

  @Override
  public void afterCommit(Runnable action) {
    AfterCommit.run(action);
  }

  private void commit(TransactionStatus status) {
    try {
      transactions.commit(status);
    } catch (RolledBackException e) {
      throw new StoreException("what the handler did was marked to be rolled back, and was", e);
    } catch (CommitFailedException e) {
      throw new StoreException("committing failed: " + e.getCause(), e.getCause());
    }
  }
}
