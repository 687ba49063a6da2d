package dev.once.spring;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;

/**
 * The synchronizations that a service adds to the transaction of a route. If the service alone is
 * undone, they end with it: a listener that waits for its commit must not hear of that of the
 * route.
 *
 * @param before those that were there before the service
 */
record ServiceSynchronizations(List<TransactionSynchronization> before) {
  static ServiceSynchronizations begin() {
    return new ServiceSynchronizations(TransactionSynchronizationManager.getSynchronizations());
  }

  /** Ends those of the service as the rollback of its own transaction would have. */
  void rollBack(Throwable failure) {
    Set<TransactionSynchronization> earlier = Collections.newSetFromMap(new IdentityHashMap<>());
    earlier.addAll(before);
    List<TransactionSynchronization> added =
        new ArrayList<>(TransactionSynchronizationManager.getSynchronizations());
    added.removeIf(earlier::contains);
    if (added.isEmpty()) {
      return;
    }
    TransactionSynchronizationManager.clearSynchronization();
    TransactionSynchronizationManager.initSynchronization();
    before.forEach(TransactionSynchronizationManager::registerSynchronization);
    for (TransactionSynchronization synchronization : added) {
      try {
        synchronization.beforeCompletion();
      } catch (RuntimeException e) {
        failure.addSuppressed(e);
      }
    }
    TransactionSynchronizationUtils.invokeAfterCompletion(
        added, TransactionSynchronization.STATUS_ROLLED_BACK);
  }
}
