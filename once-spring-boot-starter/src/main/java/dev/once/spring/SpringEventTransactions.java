package dev.once.spring;

import dev.once.events.EventTransactions;
import java.sql.SQLException;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Spring's transactions for events: methods under {@code @Transactional} that a handler calls join
 * the transaction that settles its event.
 */
final class SpringEventTransactions implements EventTransactions {
  private static final Logger LOG = LoggerFactory.getLogger(SpringEventTransactions.class);

  private final ManagedTransactions transactions;

  SpringEventTransactions(ManagedTransactions transactions) {
    this.transactions = transactions;
  }

  @Override
  public void execute(Callback callback) throws SQLException {
    TransactionStatus status = transactions.begin(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    Completion completion = new Completion();
    TransactionSynchronizationManager.bindResource(this, status);
    try {
      TransactionSynchronizationManager.registerSynchronization(completion);
      callback.execute(transactions.connection());
    } catch (Throwable failure) {
      transactions.rollback(status, failure);
      throw failure;
    } finally {
      TransactionSynchronizationManager.unbindResource(this);
    }
    commit(status, completion);
  }

  /**
   * Sends the writes to the database that an ORM has put off until the commit, so that they fail as
   * a part of the event.
   *
   * @throws IllegalStateException if a method marked the transaction for rollback, although the
   *     handler returned
   */
  void flush() {
    TransactionStatus status =
        (TransactionStatus)
            Objects.requireNonNull(
                TransactionSynchronizationManager.getResource(this), "only within execute");
    if (status.isRollbackOnly()) {
      throw new IllegalStateException("the transaction was marked for rollback by the handler");
    }
    status.flush();
  }

  private void commit(TransactionStatus status, Completion completion) {
    try {
      transactions.commit(status);
    } catch (RuntimeException e) {
      if (completion.status == TransactionSynchronization.STATUS_COMMITTED) {
        LOG.warn("an action after the commit of an event failed", e);
      } else if (completion.status == TransactionSynchronization.STATUS_ROLLED_BACK) {
        throw new RolledBackException(e.getCause() == null ? e : e.getCause());
      } else {
        throw e;
      }
    }
  }

  /** Knows how a transaction ended: not every exception of a commit tells. */
  private static final class Completion implements TransactionSynchronization {
    private int status = STATUS_UNKNOWN;

    @Override
    public void afterCompletion(int status) {
      this.status = status;
    }
  }
}
