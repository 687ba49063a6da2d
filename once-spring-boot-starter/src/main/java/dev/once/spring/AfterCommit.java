package dev.once.spring;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Runs an action after the commit of the transaction that this thread is in. */
record AfterCommit(Runnable action) implements TransactionSynchronization {
  /**
   * Runs the action after the commit of the current transaction, or immediately if there is none.
   */
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
