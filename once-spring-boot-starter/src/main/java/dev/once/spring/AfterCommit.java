package dev.once.spring;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Something to do once the transaction that this thread is in is committed, and not before. */
record AfterCommit(Runnable action) implements TransactionSynchronization {
  /** Outside of a transaction that is now. */
  static void run(Runnable action) {
    if (TransactionSynchronizationManager.isActualTransactionActive()
        && TransactionSynchronizationManager.isSynchronizationActive()) {
      TransactionSynchronizationManager.registerSynchronization(new AfterCommit(action));
    } else {
      action.run();
    }
  }

  @Override
  public void afterCommit() {
    action.run();
  }
}
