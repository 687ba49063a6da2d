package dev.once.jobs;

import dev.once.StoreException;
import dev.once.jdbc.internal.TransactionRunner;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Closes batches after their members have finished, in transactions of its own. So a member locks
 * nothing of its batch when it finishes, however many finish at the same time; and each looks after
 * its own commit, so that of two last members the later one finds none. If a process stops between
 * the two, {@link BatchMaintenance} closes the batch. Thread-safe.
 */
final class BatchCloser {
  private final TransactionRunner work;
  private final QueueNotifier notifier;
  private final JobListener listener;

  BatchCloser(TransactionRunner work, QueueNotifier notifier, JobListener listener) {
    this.work = work;
    this.notifier = notifier;
    this.listener = listener;
  }

  /** Closes those of {@code batches} whose members are all finished. */
  void close(Collection<Long> batches) {
    if (batches.isEmpty()) {
      return;
    }
    List<Long> ids = batches.stream().sorted().toList();
    Set<String> queues =
        work.runInTransaction("closing batches", it -> CloseBatchesStatement.execute(it, ids));
    queues.forEach(notifier::notifyQueue);
    if (!queues.isEmpty()) {
      notifier.notifyLater(); // A join may not be due yet.
    }
  }

  /** Does the same for a caller whose change is committed already, and must not fail any more. */
  void closeOrReport(Collection<Long> batches) {
    try {
      close(batches);
    } catch (StoreException e) {
      listener.on(new JobEvent.Trouble("closing batches", e));
    }
  }

  /** Returns up to {@link OpenBatchesStatement#LIMIT} open batches with higher ids. */
  Set<Long> openAfter(long id) {
    return work.run("looking for open batches", it -> OpenBatchesStatement.execute(it, id));
  }
}
