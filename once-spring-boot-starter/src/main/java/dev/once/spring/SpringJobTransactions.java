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
 * Spring's transactions for jobs: a job is enqueued in the caller's transaction, and methods under
 * {@code @Transactional} that a handler calls join the transaction that completes its job.
 */
record SpringJobTransactions(ManagedTransactions transactions) implements JobTransactions {
  @Override
  public <T extends @Nullable Object, X extends Exception> T execute(Callback<T, X> work)
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

  /** Refuses a transaction of another database: the job could be committed without its cause. */
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
      throw new StoreException("the transaction was marked for rollback and rolled back", e);
    } catch (CommitFailedException e) {
      throw new StoreException("committing failed: " + e.getCause(), e.getCause());
    }
  }
}
